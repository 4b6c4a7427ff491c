// A Trace to JSON, as text: nlohmann's tree would hold every number twice, and write float32 as if it were a double.
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "base/text.h"
#include "render/data/trace_fields.h"
#include "render/data/trace_json.h"
#include "render/formats.h"
#include "tensor/io/stored_elements.h"

namespace attn {
namespace {

/// As short as reads back equal, but -0.0 and not -0, which would be an integer.
template <class T>
std::string shortest(T number) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  const std::string text(std::begin(digits), end);
  return text == "-0" ? "-0.0" : text;
}

std::string number_text(double number) {
  if (std::isnan(number)) return "\"NaN\"";
  if (std::isinf(number)) return number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return shortest(number);
}

/// Whoever reads it as a double and narrows that gets the same float.
std::string number_text(float number) {
  if (!std::isfinite(number)) return number_text(static_cast<double>(number));
  std::string text = shortest(number);
  double wide = 0;
  std::from_chars(text.data(), text.data() + text.size(), wide);
  return static_cast<float>(wide) == number ? text : shortest(static_cast<double>(number));
}

std::string number_text(std::int64_t number) { return std::to_string(number); }
std::string number_text(bool flag) { return flag ? "true" : "false"; }

class TraceWriter {
 public:
  std::string trace(const Trace& trace) {
    std::string out = "{\n\"format\": " + value(std::string(kTranscriptMark));
    out += ",\n\"schema\": " + std::to_string(trace.schema);
    const auto member = [&](std::string_view name, auto pointer, std::string_view) {
      const auto& held = trace.*pointer;
      std::string text;
      if constexpr (requires { listed(held); }) text = listed(held);
      else text = value(held);
      if (text == "null") return;
      look();
      out.append(",\n\"").append(name).append("\": ").append(text);
    };
    json::fields(member, json::As<Trace>{});
    out += ",\n\"words\": " + listed(word_lists_);
    out += ",\n\"origins\": [";
    for (std::size_t i = 0; i < origins_.size(); ++i) out += (i ? ",\n" : "\n") + origins_[i];
    out += "\n],\n\"buffers\": [";
    for (std::size_t i = 0; i < buffers_.size(); ++i) put_buffer(buffers_[i], out += i ? ",\n" : "\n");
    return out + "\n]\n}\n";
  }

  // ---- a value of each kind ----

  std::string value(bool flag) { return number_text(flag); }
  std::string value(int number) { return std::to_string(number); }
  std::string value(std::uint32_t number) { return std::to_string(number); }
  std::string value(std::int64_t number) { return std::to_string(number); }
  std::string value(double number) { return number_text(number); }

  /// Text that could steer a terminal stands in escapes.
  std::string value(const std::string& text) { return json_text(text, -1); }

  std::string value(const Span& span) {
    return "[" + std::to_string(span.source) + "," + std::to_string(span.begin) + "," + std::to_string(span.end) + "]";
  }

  std::string value(const std::shared_ptr<const std::vector<std::string>>& words) {
    if (!words) return "null";
    const auto [entry, is_new] = word_numbers_.try_emplace(words.get(), word_lists_.size());
    if (is_new) word_lists_.push_back(*words);
    return std::to_string(entry->second);
  }

  /// Those that it was made from come before it.
  std::string value(const OriginPtr& origin) {
    if (!origin) return "null";
    const auto known = origin_numbers_.find(origin.get());
    if (known != origin_numbers_.end()) return std::to_string(known->second);
    std::string text = value(*origin);
    origin_numbers_[origin.get()] = origins_.size();
    origins_.push_back(std::move(text));
    return std::to_string(origins_.size() - 1);
  }

  std::string value(const Tensor& tensor) {
    if (!tensor.defined()) return "null";
    return "[" + std::to_string(buffer_number(tensor)) + "," + std::to_string(tensor.offset()) + "]";
  }

  std::string value(const TraceBlock& block) {
    if (const Prose* prose = std::get_if<Prose>(&block)) return "{\"prose\":" + value(*prose) + "}";
    return "{\"cell\":" + value(std::get<CellRecord>(block)) + "}";
  }

  template <class T>
  std::string value(const std::optional<T>& held) {
    return held ? value(*held) : "null";
  }
  template <class A, class B>
  std::string value(const std::pair<A, B>& both) {
    return "[" + value(both.first) + "," + value(both.second) + "]";
  }
  template <class T>
  std::string value(const std::vector<T>& list) {
    std::string out = "[";
    for (const T& item : list) put(item, out += out.size() > 1 ? "," : "");
    return out + "]";
  }
  std::string value(const std::map<std::string, std::string>& pairs) {
    std::string out = "{";
    for (const auto& [key, text] : pairs) out += (out.size() > 1 ? "," : "") + value(key) + ":" + value(text);
    return out + "}";
  }

  /// An enumerator's word; an object with the members that a new one does not have as they are.
  template <class T>
  std::string value(const T& x) {
    if constexpr (std::is_enum_v<T>) {
      return "\"" + std::string(json::words(json::As<T>{})[static_cast<std::size_t>(x)]) + "\"";
    } else {
      static const T kNew{};
      std::string out = "{";
      const auto member = [&](std::string_view name, auto pointer, std::string_view) {
        const std::string text = value(x.*pointer);
        look();
        if (text != value(kNew.*pointer))
          out.append(out.size() > 1 ? ",\"" : "\"").append(name).append("\":").append(text);
      };
      json::fields(member, json::As<T>{});
      return out + "}";
    }
  }

 private:
  template <class T>
  std::string listed(const std::vector<T>& list) {
    std::string out = "[";
    for (const T& item : list) put(item, out += out.size() > 1 ? ",\n" : "\n");
    return out.size() > 1 ? out + "\n]" : "[]";
  }

  /// What a program printed may be long: it is copied as seldom as can be, and Ctrl-C is heard between two copies.
  template <class T>
  void put(const T& item, std::string& out) {
    const std::string text = value(item);
    look();
    out += text;
  }

  /// Of the buffer of a tensor, among those to be written.
  std::size_t buffer_number(const Tensor& tensor) {
    const Buffer& buffer = *tensor.storage().buffer;
    if (const auto known = buffer_numbers_.find(&buffer); known != buffer_numbers_.end()) return known->second;
    const Tensor whole = whole_buffer(tensor);
    const auto [entry, is_new] = equal_buffers_.try_emplace({whole.dtype(), element_bytes(whole)}, buffers_.size());
    if (is_new) buffers_.push_back(whole);
    return buffer_numbers_[&buffer] = entry->second;
  }

  static Tensor whole_buffer(const Tensor& tensor) {
    const auto width = dispatch(tensor.dtype(), []<class T>(T) { return static_cast<std::int64_t>(sizeof(T)); });
    return tensor.as_strided({tensor.storage().buffer->bytes() / width}, {1}, 0);
  }

  static void put_buffer(const Tensor& buffer, std::string& out) {
    out += "{\"dtype\":\"" + std::string(short_name(buffer.dtype())) + "\",";
    if (buffer.numel() > kMostPlainNumbers) {
      out += "\"base64\":\"" + base64(element_bytes(buffer)) + "\"}";
      return;
    }
    out += "\"numbers\":[";
    dispatch(buffer.dtype(), [&]<class T>(T) {
      for (std::int64_t i = 0; i < buffer.numel(); ++i) out += (i > 0 ? "," : "") + number_text(buffer.data<T>()[i]);
    });
    out += "]}";
  }

  std::map<const void*, std::size_t> word_numbers_, origin_numbers_, buffer_numbers_;
  std::map<std::pair<DType, std::string>, std::size_t> equal_buffers_;  // by the bytes that are written
  std::vector<std::string> origins_;
  std::vector<std::vector<std::string>> word_lists_;
  std::vector<Tensor> buffers_;  // each as a whole
};

}  // namespace

std::string write_trace_json(const Trace& trace) { return TraceWriter().trace(trace); }

std::string session_json(const SessionRecord& session) { return TraceWriter().value(session); }

std::string render_json(const Trace& trace, const RenderOptions&) { return write_trace_json(trace); }

}  // namespace attn
