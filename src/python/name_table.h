#pragma once
// The names of a scope with their values, in the order in which they were bound.
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "python/place_table.h"
#include "python/value.h"

namespace attn {

class NameTable {
 public:
  using Item = std::pair<Symbol, Value>;

  /// Null when the name is not bound. What comes out holds until the next name is bound or unbound.
  Value* find(Symbol name) {
    if (items_.size() > kFew) return find_in_table(name);
    for (Item& item : items_)
      if (item.first == name) return &item.second;
    return nullptr;
  }
  const Value* find(Symbol name) const { return const_cast<NameTable*>(this)->find(name); }
  bool contains(Symbol name) const { return find(name) != nullptr; }
  /// Binds the name to None if it is not bound.
  Value& operator[](Symbol name) {
    Value* const bound = find(name);
    return bound ? *bound : add(name);
  }
  /// Whether it was bound.
  bool erase(Symbol name);
  void clear() { *this = {}; }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  static constexpr std::size_t kFew = 8;  // names that are looked through one by one

  std::optional<std::size_t> place_in_table(Symbol name) const;
  Value* find_in_table(Symbol name);
  Value& add(Symbol name);

  std::vector<Item> items_;
  PlaceTable places_;  // of more than kFew
};

}  // namespace attn
