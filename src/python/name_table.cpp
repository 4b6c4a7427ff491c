#include "python/name_table.h"

#include <algorithm>

namespace attn {

Value* NameTable::find_in_table(Symbol name) {
  const std::uint32_t entry = table_[slot_of(name)];
  return entry == 0 ? nullptr : &items_[entry - 1].second;
}

// Where the table holds the name, or would hold it.
std::size_t NameTable::slot_of(Symbol name) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = std::hash<Symbol>()(name) & mask;
  while (table_[at] != 0 && items_[table_[at] - 1].first != name) at = (at + 1) & mask;
  return at;
}

void NameTable::fill_table() {
  std::size_t size = 4 * kFew;
  while (size < 2 * items_.size()) size *= 2;
  table_.assign(size, 0);
  for (std::size_t place = 0; place < items_.size(); ++place) enter(place);
}

void NameTable::enter(std::size_t place) {
  table_[slot_of(items_[place].first)] = static_cast<std::uint32_t>(place + 1);
}

Value& NameTable::add(Symbol name) {
  items_.emplace_back(name, Value());
  if (items_.size() == kFew + 1 || items_.size() > table_.size() / 2) fill_table();
  else if (items_.size() > kFew) enter(items_.size() - 1);
  return items_.back().second;
}

bool NameTable::erase(Symbol name) {
  const auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& each) { return each.first == name; });
  if (item == items_.end()) return false;
  items_.erase(item);
  if (items_.size() > kFew) fill_table();
  return true;
}

}  // namespace attn
