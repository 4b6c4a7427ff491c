#include "tests/oracle/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/number.h"
#include "tensor/core/print.h"
#include "torch/nn/layer.h"

namespace attn::oracle {
namespace {

using Lines = std::vector<std::string>;

void append(Lines& lines, Lines more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// ---- texts ----

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & '\x80'); }
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

std::size_t skip_digits(const std::string& text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// The end of the number that begins at `at`; `at` itself when none does. One regular expression of make.py, by hand.
std::size_t number_end(const std::string& text, std::size_t at) {
  if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.')) return at;
  std::size_t end = at + (text[at] == '-');
  const std::size_t whole = skip_digits(text, end);
  const bool has_whole = whole > end;
  end = whole;
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = skip_digits(text, end + 1);
    if (!has_whole && fraction == end + 1) return at;
    end = fraction;
  } else if (!has_whole) {
    return at;
  }
  if (end < text.size() && text[end] == 'e') {
    const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
    const std::size_t exponent = skip_digits(text, end + 1 + sign);
    if (exponent > end + 1 + sign) end = exponent;
  }
  return end;
}

struct Taken {
  std::string text;  // with # for each number; runs of blanks as one, none before a number
  std::vector<std::string> numbers;
};

Taken take_numbers(const std::string& text) {
  Taken taken;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = number_end(text, at);
    if (end > at) {
      while (!taken.text.empty() && is_blank(taken.text.back())) taken.text.pop_back();
      taken.text += '#';
      taken.numbers.push_back(text.substr(at, end - at));
      at = end;
      continue;
    }
    const bool repeats = is_blank(text[at]) && !taken.text.empty() && is_blank(taken.text.back());
    if (!repeats) taken.text += text[at];
    ++at;
  }
  return taken;
}

// The worth of one unit in the last printed place: 0.01 for 3.14, 1e-7 for 1.5e-06; 0 for an integer.
double last_place(const std::string& number) {
  const std::size_t e = number.find('e');
  const std::size_t point = number.find('.');
  if (e == std::string::npos && point == std::string::npos) return 0;
  const std::size_t mantissa_end = std::min(e, number.size());
  const std::size_t places = point == std::string::npos ? 0 : mantissa_end - point - 1;
  const int exponent = e == std::string::npos ? 0 : std::stoi(number.substr(e + 1));
  return std::pow(10.0, exponent - static_cast<int>(places));
}

bool same_number(const std::string& ours, const std::string& theirs, double spread) {
  if (ours == theirs) return true;
  const double a = last_place(ours);
  const double b = last_place(theirs);
  if (a == 0 && b == 0) return false;
  const double x = *parse_double(ours);
  const double y = *parse_double(theirs);
  const double place = a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
  return close(x, y, spread) || std::abs(x - y) <= 1.001 * place;
}

// ---- values ----

double number_of(const Json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string& text = value.get_ref<const std::string&>();
  return text == "nan" ? std::nan("") : text == "inf" ? INFINITY : -INFINITY;
}

template <class T>
bool same_element(T ours, const Json& theirs, double spread, Exactness exactness) {
  if constexpr (!std::is_floating_point_v<T>) {
    return static_cast<std::int64_t>(ours) == theirs.get<std::int64_t>();
  } else {
    const double wanted = number_of(theirs);
    if (std::isnan(wanted)) return std::isnan(ours);
    if (!std::isfinite(wanted) || exactness == Exactness::BitForBit) return ours == static_cast<T>(wanted);
    return close(static_cast<double>(ours), wanted, spread);
  }
}

template <class T>
std::vector<T> elements(const Tensor& tensor) {
  std::vector<T> out;
  const T* data = tensor.data<T>();
  for_each_offset(tensor.shape(), tensor.strides(), [&](std::int64_t offset) { out.push_back(data[offset]); });
  return out;
}

// Mean and population deviation over what is finite, as the fixture's maker takes them.
template <class T>
void compare_moments(const std::vector<T>& ours, const Json& theirs, double spread, const std::string& path,
                     Lines& out) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const T element : ours) {
    const double x = static_cast<double>(element);
    if (!std::isfinite(x)) continue;
    sum += x;
    ++count;
  }
  const double mean = sum / count;
  for (const T element : ours) {
    const double x = static_cast<double>(element);
    if (std::isfinite(x)) squares += (x - mean) * (x - mean);
  }
  const double deviation = std::sqrt(squares / count);
  if (!close(mean, theirs["mean"], spread))
    out.push_back(fmt::format("{}.mean: {} for {}", path, mean, theirs["mean"].dump()));
  if (!close(deviation, theirs["std"], spread))
    out.push_back(fmt::format("{}.std: {} for {}", path, deviation, theirs["std"].dump()));
}

template <class T>
void compare_elements(const Tensor& tensor, const Json& theirs, Exactness exactness, const std::string& path,
                      Lines& out) {
  const std::vector<T> ours = elements<T>(tensor);
  const double spread = theirs.value("spread", 0.0);
  const Json& wanted = theirs["values"];
  const bool sampled = theirs.contains("indices");
  if (!sampled && wanted.size() != ours.size()) {
    out.push_back(fmt::format("{}: {} elements for {}", path, ours.size(), wanted.size()));
    return;
  }
  int wrong = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t at = sampled ? theirs["indices"][i].get<std::size_t>() : i;
    if (same_element(ours[at], wanted[i], spread, exactness)) continue;
    if (++wrong <= 3) out.push_back(fmt::format("{}[{}]: {} for {}", path, at, ours[at], wanted[i].dump()));
  }
  if (wrong > 3) out.push_back(fmt::format("{}: {} elements differ", path, wrong));
  if (sampled) compare_moments(ours, theirs, spread, path, out);
}

void compare_text(const std::string& what, const std::string& ours, const std::string& theirs, double spread,
                  Lines& out) {
  if (!same_text(ours, theirs, spread)) out.push_back(fmt::format("{}:\n{}\n  for\n{}", what, ours, theirs));
}

std::string python_class(const Value& value) {
  if (const Layer* layer = value.as<Layer>()) return layer_name(*layer);
  return type_name(value);
}

Lines compare_items(const std::vector<Value>& ours, const Json& theirs, const std::string& path, Exactness exactness) {
  if (ours.size() != theirs.size()) return {fmt::format("{}: {} items for {}", path, ours.size(), theirs.size())};
  Lines out;
  for (std::size_t i = 0; i < ours.size(); ++i)
    append(out, differences(ours[i], theirs[i], fmt::format("{}.items[{}]", path, i), exactness));
  return out;
}

Lines compare_layer(const Layer& ours, const Json& theirs, const std::string& path, Exactness exactness) {
  Lines out;
  const auto parameters = parameters_of(ours);
  const Json& wanted = theirs["parameters"];
  if (parameters.size() != wanted.size())
    out.push_back(fmt::format("{}: {} parameters for {}", path, parameters.size(), wanted.size()));
  for (const auto& [name, parameter] : parameters) {
    if (wanted.contains(name))
      append(out, differences(facts_of(*parameter), wanted[name], path + "." + name, exactness));
    else out.push_back(fmt::format("{}: parameter {} should not be there", path, name));
  }
  return out;
}

// ---- from a description to a tensor ----

template <class T>
Tensor tensor_of(const Json& description) {
  std::vector<T> values;
  for (const Json& value : description["values"]) {
    if constexpr (std::is_floating_point_v<T>) values.push_back(static_cast<T>(number_of(value)));
    else values.push_back(static_cast<T>(value.get<std::int64_t>()));
  }
  Tensor result = Tensor::empty(description["shape"].get<Shape>(), dtype_of<T>);
  std::copy(values.begin(), values.end(), result.mutable_data<T>());
  return result;
}

std::string tensor_text(const Json& description) {
  const std::string dtype = description["dtype"];
  const TensorTag tag{description.value("requires_grad", false), description.value("grad_fn", ""),
                      description["type"] == "Parameter"};
  if (dtype == "bool") return tensor_repr(tensor_of<bool>(description), tag);
  if (dtype == "int64") return tensor_repr(tensor_of<std::int64_t>(description), tag);
  if (dtype == "float64") return tensor_repr(tensor_of<double>(description), tag);
  return tensor_repr(tensor_of<float>(description), tag);
}

}  // namespace

// ---- fixtures ----

Json read_fixture(const std::string& name) {
  const std::string path = std::string(ATTN_SOURCE_DIR) + "/tests/oracle/" + name + ".json";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return Json::parse(file);
}

std::vector<std::string> fixture_names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ATTN_SOURCE_DIR) + "/tests/oracle/" + folder))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool close(double ours, double theirs, double spread) {
  return std::abs(ours - theirs) <= std::max(1e-7 + 1e-6 * std::abs(theirs), 4 * spread);
}

bool same_text(const std::string& ours, const std::string& theirs, double spread) {
  if (ours == theirs) return true;
  const Taken a = take_numbers(ours);
  const Taken b = take_numbers(theirs);
  return a.text == b.text && std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                                        [&](const auto& x, const auto& y) { return same_number(x, y, spread); });
}

bool same_error_text(const std::string& ours, const std::string& theirs) {
  if (theirs.find("invalid combination of arguments") == std::string::npos) return ours == theirs;
  const auto start = [](const std::string& text) { return text.substr(0, text.find(" got ")); };
  return start(ours) == start(theirs);
}

TensorFacts facts_of(const TensorObject& handle) {
  return {handle.is_parameter ? "Parameter" : "Tensor", handle.tensor, handle.requires_grad, handle.grad_fn};
}

Lines differences(const TensorFacts& ours, const Json& theirs, const std::string& path, Exactness exactness) {
  Lines out;
  const auto check = [&](std::string_view what, const std::string& a, const std::string& b) {
    if (a != b)
      out.push_back(fmt::format("{}: {} {} for {}", path, what, a.empty() ? "none" : a, b.empty() ? "none" : b));
  };
  check("type", ours.type, theirs["type"]);
  if (theirs["type"] != "Tensor" && theirs["type"] != "Parameter") return out;
  const Shape shape = theirs["shape"].get<Shape>();
  check("shape", shape_text(ours.tensor.shape()), shape_text(shape));
  check("dtype", std::string(short_name(ours.tensor.dtype())), theirs["dtype"]);
  check("requires_grad", ours.requires_grad ? "True" : "False",
        theirs.value("requires_grad", false) ? "True" : "False");
  check("grad_fn", ours.grad_fn, theirs.value("grad_fn", ""));
  if (ours.tensor.shape() != shape || short_name(ours.tensor.dtype()) != theirs["dtype"].get<std::string>()) return out;
  dispatch(ours.tensor.dtype(), [&]<class T>(T) { compare_elements<T>(ours.tensor, theirs, exactness, path, out); });
  return out;
}

Lines differences(const Value& ours, const Json& theirs, const std::string& path, Exactness exactness) {
  Lines out;
  if (const TensorObject* handle = ours.as<TensorObject>()) {
    out = differences(facts_of(*handle), theirs, path, exactness);
  } else if (const std::string type = python_class(ours); type != theirs["type"]) {
    return {fmt::format("{}: type {} for {}", path, type, theirs["type"].dump())};
  } else if (const Layer* layer = ours.as<Layer>()) {
    out = compare_layer(*layer, theirs, path, exactness);
  } else if (const Dict* dict = ours.as<Dict>(); dict && theirs.contains("items")) {
    std::vector<Value> values;
    for (const auto& item : dict->items) values.push_back(item.second);
    out = compare_items(values, theirs["items"], path, exactness);
  } else if (theirs.contains("items") && items_of(ours)) {
    out = compare_items(*items_of(ours), theirs["items"], path, exactness);
  }
  const double spread = theirs.value("spread", 0.0);
  if (theirs.contains("repr") && !theirs.contains("length"))
    compare_text(path + ".repr", repr(ours), theirs["repr"], spread, out);
  return out;
}

std::optional<std::string> repr_of(const Json& description) {
  if (description.contains("length") || description.contains("indices")) return std::nullopt;
  if (description.contains("repr")) return description["repr"].get<std::string>();
  if (description.contains("values")) return tensor_text(description);
  const std::string type = description["type"];
  if (type != "list" && type != "tuple" && type != "dict") return std::nullopt;
  std::string text;
  const Json& items = description["items"];
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto item = repr_of(items[i]);
    if (!item) return std::nullopt;
    if (i > 0) text += ", ";
    if (type == "dict") text += description["keys"][i].get<std::string>() + ": ";
    text += *item;
  }
  if (type == "tuple") return "(" + text + (items.size() == 1 ? ",)" : ")");
  return type == "list" ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace attn::oracle
