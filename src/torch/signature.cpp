#include "torch/signature.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "base/number.h"
#include "base/text.h"

namespace attn {
namespace {

constexpr std::string_view kParameterTypes[] = {"Tensor", "Operand", "Number", "int", "ints",    "shape", "bool",
                                                "float",  "dtype",   "device", "str", "Tensors", "any",   "name"};

// One parameter: "*size: ints", "dim: int? = None".
OpParameter parse_parameter(std::string_view text) {
  OpParameter parameter;
  if (const auto equals = text.find('='); equals != std::string_view::npos) {
    parameter.has_default = true;
    parameter.default_text = trim(text.substr(equals + 1));
    text = trim(text.substr(0, equals));
  }
  if (text.starts_with('*')) {
    parameter.variadic = true;
    text.remove_prefix(1);
  }
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) throw std::logic_error("signature without a type: " + std::string(text));
  parameter.name = trim(text.substr(0, colon));
  std::string_view type = trim(text.substr(colon + 1));
  if (type.ends_with('?')) {
    parameter.optional = true;
    type.remove_suffix(1);
  }
  if (std::find(std::begin(kParameterTypes), std::end(kParameterTypes), type) == std::end(kParameterTypes)) {
    throw std::logic_error("signature with an unknown type: " + std::string(type));
  }
  parameter.type = type;
  return parameter;
}

Overload parse_overload(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('(') || !text.ends_with(')')) throw std::logic_error("bad signature: " + std::string(text));
  text = text.substr(1, text.size() - 2);
  Overload overload;
  bool keyword_only = false;
  while (!text.empty()) {
    const auto comma = std::min(text.find(", "), text.size());  // no default holds a comma
    const std::string_view part = trim(text.substr(0, comma));
    text = comma < text.size() ? text.substr(comma + 2) : std::string_view();
    if (part == "*") {
      keyword_only = true;
      continue;
    }
    overload.push_back(parse_parameter(part));
    overload.back().keyword_only = keyword_only;
  }
  return overload;
}

std::vector<Overload> parse_signature(std::string_view text) {
  std::vector<Overload> overloads;
  for (;;) {
    const auto bar = text.find(" | ");
    overloads.push_back(parse_overload(text.substr(0, bar)));
    if (bar == std::string_view::npos) return overloads;
    text = text.substr(bar + 3);
  }
}

using ParsedSignature = std::pair<const std::string, std::vector<Overload>>;

const ParsedSignature& parsed_signature(std::string_view signature) {
  static std::mutex mutex;
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  static std::unordered_map<std::string, std::vector<Overload>, Hash, std::equal_to<>> parsed;
  const std::lock_guard lock(mutex);
  auto place = parsed.find(signature);
  if (place == parsed.end()) place = parsed.emplace(std::string(signature), parse_signature(signature)).first;
  return *place;
}

}  // namespace

const std::vector<Overload>& overloads_of(std::string_view signature) {
  // Each call of an op asks, with the text of its row: where that stands is found more quickly than what it says.
  thread_local std::unordered_map<const char*, const ParsedSignature*> known;
  const ParsedSignature*& found = known[signature.data()];
  if (!found || found->first != signature) found = &parsed_signature(signature);
  return found->second;
}

Value default_value(const OpParameter& parameter) {
  const std::string& text = parameter.default_text;
  if (!parameter.has_default || text == "None") return {};
  if (text == "True" || text == "False") return Value(text == "True");
  if (text.front() == '\'') return make_str(text.substr(1, text.size() - 2));
  if (const auto integer = parse_int(text)) {
    return parameter.type == "float" ? Value(static_cast<double>(*integer)) : Value(*integer);
  }
  if (const auto real = parse_double(text)) return Value(*real);
  throw std::logic_error("signature with an unknown default: " + text);
}

std::string_view torch_type(const OpParameter& parameter) {
  if (parameter.type == "ints" || parameter.type == "shape") return "tuple of ints";
  if (parameter.type == "Operand") return "Tensor";
  if (parameter.type == "Tensors") return "tuple of Tensors";
  if (parameter.type == "dtype") return "torch.dtype";
  if (parameter.type == "device") return "torch.device";
  return parameter.type;
}

}  // namespace attn
