#pragma once
// Small objects that are only asked things: torch.device('cpu'), torch.finfo(torch.float32), a dtype of numpy,
// NotImplemented.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/value.h"

namespace attn {

/// What it is, how it prints, and its attributes. Two are equal when they print alike, unless `equals` says otherwise.
struct Record : Object {
  static const Type kType;
  Record(std::string type, std::string r, std::string s)
      : Object(kType), type_name(std::move(type)), repr(std::move(r)), text(std::move(s)) {}
  void clear() override { fields.clear(); }
  const Value* find(const std::string& name) const;
  std::string type_name;  // "device"
  std::string repr;       // "device(type='cpu')"
  std::string text;       // str(): "cpu"
  std::vector<std::pair<std::string, Value>> fields;
  /// Of records that are equal to others than those: numpy's dtypes. Either may be one.
  std::optional<bool> (*equals)(const Value& a, const Value& b) = nullptr;
};

/// torch.device('cpu').
Value cpu_device();

/// NotImplemented: what an operator's method gives when it leaves the operands to the other side.
Value not_implemented();
bool is_not_implemented(const Value& value);

}  // namespace attn
