#pragma once
// Iteration one value at a time, as iter() and next() need it: zip, map, generators and the like take no more from
// what they iterate over than they are asked for.
#include "base/diagnostic.h"
#include "base/source.h"
#include "python/value.h"

namespace attn {

/// Whether `for` takes it; a tensor without axes counts too (it has an error of its own).
bool is_iterable(const Value& value);

/// A function that gives one value after another. Lists are looked at as they are at that moment, so they may grow.
///   Errors: TypeError "'int' object is not iterable".
Iterator::Next step_through(Interpreter& interpreter, const Value& iterable, Span span);

/// The same of what an object's own __iter__ has given.
///   Errors: TypeError "iter() returned non-iterator of type 'int'".
Iterator::Next step_with(Interpreter& interpreter, const Value& iterator, Span span);

/// iter(value): the value itself when it is an iterator.
Value make_iterator(Interpreter& interpreter, const Value& value, Span span);

/// What an Iterator, or an object with __next__, gives next; false at the end.
bool next_of(Interpreter& interpreter, const Value& iterator, Value& out);

/// What ends next(): a StopIteration, with what a function that yields has returned as its value.
CellError stop_iteration(const Value& iterator, Span span);

}  // namespace attn
