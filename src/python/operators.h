#pragma once
// Python's operators, x[index], `in`: those of numbers, and for objects the choice of the slot that takes them.
#include <string_view>

#include "python/interpreter.h"
#include "python/natives.h"
#include "python/value.h"
#include "syntax/ast.h"

namespace attn {

/// The places of the operands, for errors.
struct OperatorSpans {
  Span whole, left, right;
};

/// Errors of all: CellError at spans.whole with Python's text.
Value apply_binary(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b, const OperatorSpans& spans);
Value apply_unary(Interpreter& interpreter, UnaryOp op, const Value& a, Span span, Span operand);
/// Errors: TypeError, always: what a kind that takes some unary operators says to the others.
[[noreturn]] void refuse_unary(UnaryOp op, const Value& a, Span span);
Value apply_compare(Interpreter& interpreter, CompareOp op, const Value& a, const Value& b, const OperatorSpans& spans);

/// a += b where a is a tensor, list, set or dict is done in place; anything else is a + b.
Value apply_in_place(Interpreter& interpreter, BinaryOp op, const Value& a, const Value& b, const OperatorSpans& spans);

/// x[index], x[index] = value and del x[index]
Value get_item(Interpreter& interpreter, const Value& object, const Value& index, const OperatorSpans& spans);
void set_item(Interpreter& interpreter, const Value& object, const Value& index, const Value& value,
              const OperatorSpans& spans);

void delete_item(Interpreter& interpreter, const Value& object, const Value& index, const OperatorSpans& spans);

/// item in container
bool contains(Interpreter& interpreter, const Value& container, const Value& item, Span span);
/// Whether a loop through it meets an item that is equal.
bool contains_by_loop(Interpreter& interpreter, const Value& container, const Value& item, Span span);

/// Python's order for sorted(), min() and max(): a < b.
bool less(Interpreter& interpreter, const Value& a, const Value& b, Span span);

/// PyTorch's text for a tensor where Python needs one int.
inline constexpr std::string_view kNoIndex = "only integer tensors of a single element can be converted to an index";
/// PyTorch's text for a tensor of several elements, or none, where Python needs one number.
inline constexpr std::string_view kNoScalar = "only one element tensors can be converted to Python scalars";

/// The op of the table behind an operator: "torch.add". Empty for `in` and `is`.
std::string_view op_behind(BinaryOp op);
std::string_view op_behind(CompareOp op);

/// The ints start, stop, step of a Python slice over a sequence of `length` items, clamped.
struct SliceRange {
  std::int64_t start, step, count, stop;
};
SliceRange slice_range(const Slice& slice, std::int64_t length);
/// The place of an index in a sequence of `length` items. Errors: TypeError, IndexError with Python's texts.
std::size_t item_place(const Value& index, std::size_t length, const std::string& type, Span span);

/// Whether a comparison holds between two things in that order: -1, 0 or 1; 2 for NaN, where none does.
bool holds(CompareOp op, int order);

}  // namespace attn
