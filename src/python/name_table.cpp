#include "python/name_table.h"

#include <algorithm>

namespace attn {

std::optional<std::size_t> NameTable::place_in_table(Symbol name) const {
  return places_.find(std::hash<Symbol>()(name), [&](std::size_t place) { return items_[place].first == name; });
}

Value* NameTable::find_in_table(Symbol name) {
  const auto place = place_in_table(name);
  return place ? &items_[*place].second : nullptr;
}

Value& NameTable::add(Symbol name) {
  if (items_.size() == kFew)
    for (const Item& item : items_) places_.add(std::hash<Symbol>()(item.first));
  if (items_.size() >= kFew) places_.add(std::hash<Symbol>()(name));
  return items_.emplace_back(name, Value()).second;
}

bool NameTable::erase(Symbol name) {
  const auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& each) { return each.first == name; });
  if (item == items_.end()) return false;
  items_.erase(item);
  places_.clear();
  if (items_.size() > kFew)
    for (const Item& each : items_) places_.add(std::hash<Symbol>()(each.first));
  return true;
}

}  // namespace attn
