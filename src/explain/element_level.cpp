#include "explain/element_level.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/number.h"
#include "explain/value_history.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

/// Numbers that six digits write without an exponent.
bool is_plain(double value) {
  const double size = std::fabs(value);
  return size == 0 || (size >= 1e-4 && size < 999'999);
}

// Python's digits, but 1e10 where that is much shorter.
std::string tidy(double value) {
  if (is_plain(value)) return python_repr(value);
  std::string plain = python_repr(value), brief = format_general(value, 6);
  std::erase(brief, '+');
  const bool is_equal = parse_double(brief) == value && brief.find('e') != std::string::npos;
  return is_equal && brief.size() * 2 <= plain.size() ? brief : plain;
}

bool stands_in(const Shape& index, const Shape& shape) {
  return std::equal(index.begin(), index.end(), shape.begin(), shape.end(),
                    [](std::int64_t i, std::int64_t size) { return i >= 0 && i < size; });
}

}  // namespace

std::string element_digits(double number, DType dtype) {
  if (dtype == DType::Bool) return number != 0 ? "True" : "False";
  if (dtype == DType::Int64) return format_fixed(number, 0);
  if (dtype == DType::Float64 || !std::isfinite(number)) return tidy(number);
  return is_plain(number) ? fixed_repr(static_cast<float>(number)) : tidy(shortest_as_float(number));
}

static std::string scalar_digits(const Scalar& element, DType dtype) {
  if (const auto* integer = std::get_if<std::int64_t>(&element)) return std::to_string(*integer);
  return element_digits(to_double(element), dtype);
}

std::string element_digits(const RecordedValue& value, const Shape& index) {
  return scalar_digits(element_at(value.tensor, index), value.dtype);
}

int LevelBuilder::operand(ValueId value, Shape index, std::string_view parameter) {
  const RecordedValue& record = history_.value(value);
  if (record.tensor.defined() && !stands_in(index, record.tensor.shape())) throw std::out_of_range("no such element");
  const auto [place, is_new] = known_.try_emplace({value, index}, static_cast<int>(level_.operands.size()));
  if (!is_new) return place->second;
  OperandElement element;
  element.value = value;
  element.name = history_.name(value);
  element.parameter = parameter;
  const bool is_double = is_double_ && record.dtype == DType::Float32;
  const bool is_known = record.tensor.defined();
  const Scalar number = is_known ? element_at(record.tensor, index) : Scalar(std::nan(""));
  element.number = to_double(number);
  element.digits = is_known ? scalar_digits(number, is_double ? DType::Float64 : record.dtype) : "nan";
  element.index = std::move(index);
  level_.operands.push_back(std::move(element));
  return place->second;
}

void LevelBuilder::text(std::string_view text) {
  if (!text.empty()) level_.expression.push_back({std::string(text), -1, term_});
}

void LevelBuilder::digits(int operand, std::string_view rest) { put_number(operand_at(operand).digits, operand, rest); }

void LevelBuilder::number(const std::string& digits, std::string_view rest) { put_number(digits, -1, rest); }

void LevelBuilder::put_number(const std::string& digits, int operand, std::string_view rest) {
  char before = '(';
  for (auto piece = level_.expression.rbegin(); piece != level_.expression.rend(); ++piece) {
    const std::size_t last = piece->text.find_last_not_of(' ');
    if (last == std::string::npos) continue;
    before = piece->text[last];
    break;
  }
  const bool stands_alone = before == '(' || before == '[' || before == ',';
  const bool needs_parentheses = digits.starts_with('-') && (!stands_alone || rest.starts_with(" **"));
  if (needs_parentheses) text("(");
  level_.expression.push_back({digits, operand, term_});
  if (needs_parentheses) text(")");
}

}  // namespace attn
