#include "engine/operand_names.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "syntax/characters.h"

namespace attn {
namespace {

// Whether `name` stands in the code as a name of its own, not as a part of another one.
bool stands_in(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || (!continues_name(code[at - 1]) && code[at - 1] != '.');
    if (begins && (end == code.size() || !continues_name(code[end]))) return true;
  }
  return false;
}

}  // namespace

void OperandNames::put(const std::string& name, Held held) {
  const TensorObject* const former = std::exchange(held_[name], held).handle;
  if (former) {
    std::vector<std::string>& names = names_[former];
    const auto newest = std::find(names.rbegin(), names.rend(), name);  // near the end when bindings are taken back
    names.erase(std::prev(newest.base()));
    if (names.empty()) names_.erase(former);
  }
  if (held.handle) names_[held.handle].push_back(name);
}

void OperandNames::bind(const std::string& name, const TensorObject* handle) {
  const Held former = held_[name];
  if (former.marks < changes_.size()) changes_.back().push_back({name, former});
  put(name, {handle, changes_.size()});
}

void OperandNames::roll_back() {
  const std::vector<Change> changes = std::move(changes_.back());
  changes_.pop_back();
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) put(change->name, change->former);
}

void OperandNames::forget(const TensorObject* handle) {
  const auto found = names_.find(handle);
  if (found != names_.end()) {
    for (const std::string& name : found->second) held_[name].handle = nullptr;
    names_.erase(found);
  }
  for (std::vector<Change>& changes : changes_) {
    for (Change& change : changes) {
      if (change.former.handle == handle) change.former.handle = nullptr;
    }
  }
}

std::string OperandNames::of(const TensorObject* handle, std::string_view code) const {
  const auto found = names_.find(handle);
  if (found == names_.end()) return {};
  const std::vector<std::string>& names = found->second;
  const auto written =
      std::find_if(names.rbegin(), names.rend(), [&](const std::string& name) { return stands_in(code, name); });
  return written == names.rend() ? names.back() : *written;
}

}  // namespace attn
