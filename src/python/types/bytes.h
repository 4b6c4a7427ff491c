#pragma once
// bytes: what b'...' and str.encode() make.
#include <string>
#include <string_view>

#include "python/interpreter.h"
#include "python/types/methods.h"
#include "python/value.h"

namespace attn {

/// What str does with characters, bytes do with bytes: they hold a str with a character for each byte and leave the
/// work to its slots and methods. Bytes beyond ASCII are characters of Unicode's private area, of no class and no case.
struct Bytes : Object {
  static const Type kType;
  explicit Bytes(Value t) : Object(kType), text(std::move(t)) {}
  Value text;
};

Value make_bytes(std::string_view raw);
std::string raw_bytes(const Bytes& bytes);

/// str.encode(encoding, errors).
Value encode(MethodCall& call);

/// bytes('hi', 'utf-8') and str(b'hi', 'utf-8') by that method of the first argument.
Value recoded(Interpreter& interpreter, const CallArguments& arguments, const std::string& method);
/// bytes(4), bytes([104, 105]), bytes('hi', 'utf-8')
Value construct_bytes(Interpreter& interpreter, const CallArguments& arguments);

}  // namespace attn
