#include "engine/operand_names.h"

#include <algorithm>
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

void OperandNames::put(const std::string& name, const TensorObject* handle) {
  const TensorObject*& held = held_[name];
  if (held) {
    std::vector<std::string>& former = names_[held];
    std::erase(former, name);
    if (former.empty()) names_.erase(held);
  }
  held = handle;
  if (handle) names_[handle].push_back(name);
}

void OperandNames::bind(const std::string& name, const TensorObject* handle) {
  const auto found = held_.find(name);
  const auto is_it = [&](const Change& change) { return change.name == name; };
  if (!changes_.empty() && std::none_of(changes_.back().begin(), changes_.back().end(), is_it))
    changes_.back().push_back({name, found == held_.end() ? nullptr : found->second});
  put(name, handle);
}

void OperandNames::roll_back() {
  const std::vector<Change> changes = std::move(changes_.back());
  changes_.pop_back();
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) put(change->name, change->former);
}

void OperandNames::forget(const TensorObject* handle) {
  const auto found = names_.find(handle);
  if (found != names_.end()) {
    for (const std::string& name : found->second) held_[name] = nullptr;
    names_.erase(found);
  }
  for (std::vector<Change>& changes : changes_) {
    for (Change& change : changes) {
      if (change.former == handle) change.former = nullptr;
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
