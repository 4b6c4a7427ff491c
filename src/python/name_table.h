#pragma once
// Names with their values, in the order in which they were bound: those of a scope, the members of an object.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/symbol.h"
#include "python/place_table.h"
#include "python/value.h"

namespace attn {

/// A name is asked for as `Asked`: as itself, or as a text that it is equal to.
template <class Name, class Asked>
class NamedValues {
 public:
  using Item = std::pair<Name, Value>;

  /// Null when the name is not bound. What comes out holds until the next name is bound or unbound.
  Value* find(Asked name) {
    if (items_.size() > kFew) return find_in_table(name);
    for (Item& item : items_)
      if (item.first == name) return &item.second;
    return nullptr;
  }
  const Value* find(Asked name) const { return const_cast<NamedValues*>(this)->find(name); }
  bool contains(Asked name) const { return find(name) != nullptr; }
  /// Binds the name to None if it is not bound.
  Value& operator[](Asked name) {
    Value* const bound = find(name);
    return bound ? *bound : add(name);
  }
  void set(Asked name, Value value) { (*this)[name] = std::move(value); }
  /// Whether it was bound.
  bool erase(Asked name) {
    const auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& each) { return each.first == name; });
    if (item == items_.end()) return false;
    items_.erase(item);
    places_.clear();
    if (items_.size() > kFew) place_all();
    return true;
  }
  void clear() { *this = {}; }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  static constexpr std::size_t kFew = 8;  // names that are looked through one by one

  static std::size_t hash_of(Asked name) { return std::hash<Asked>()(name); }
  Value* find_in_table(Asked name) {
    const auto place =
        places_.find(hash_of(name), [&](std::size_t candidate) { return items_[candidate].first == name; });
    return place ? &items_[*place].second : nullptr;
  }
  Value& add(Asked name) {
    if (items_.size() == kFew) place_all();
    if (items_.size() >= kFew) places_.add(hash_of(name));
    return items_.emplace_back(name, Value()).second;
  }
  void place_all() {
    for (const Item& item : items_) places_.add(hash_of(item.first));
  }

  std::vector<Item> items_;
  PlaceTable places_;  // of more than kFew
};

using NameTable = NamedValues<Symbol, Symbol>;
using Members = NamedValues<std::string, std::string_view>;

}  // namespace attn
