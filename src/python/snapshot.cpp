// What a run is at the beginning of a round, kept and put back.
#include <algorithm>

#include "python/interpreter.h"
#include "python/modules/library.h"

namespace attn {
namespace {

// Whether a loop over it gives the same items when it begins anew.
bool begins_anew(const Value& iterable) {
  const Quiet* progress = iterable.as<Quiet>();
  return iterable.is_none() || iterable.as<Range>() || iterable.as<List>() || iterable.as<Tuple>() ||
         (progress && begins_anew(progress->items));
}

const Block& body_of(const Stmt& loop) {
  const For* each = std::get_if<For>(&loop.node);
  return each ? each->body : std::get<While>(loop.node).body;
}

bool can_begin_anew(const std::vector<Loop>& loops, const Block& cell) {
  const Block* around = &cell;
  for (const Loop& loop : loops) {
    const bool is_in_it = std::any_of(around->begin(), around->end(), [&](const Stmt& s) { return &s == loop.stmt; });
    if (!is_in_it || !begins_anew(loop.iterable)) return false;
    around = &body_of(*loop.stmt);
  }
  return !loops.empty();
}

class KeptScope : public Kept {
 public:
  explicit KeptScope(Scope& scope) : scope_(&scope), held_(scope) {
    for_each_object([](Object& object) { object.count_kept(1); });
  }
  ~KeptScope() override {
    for_each_object([](Object& object) { object.count_kept(-1); });
  }
  void put_back() const override { *scope_ = held_; }
  void for_each_object(const std::function<void(Object&)>& visit) const override {
    each_object(held_.names, visit);
    each_object(held_.function, visit);
  }

 private:
  Ref<Scope> scope_;
  Scope held_;
};

struct PartOf {
  Object* object;
  std::unique_ptr<Kept> kept;
};

// What is there for nobody but earlier snapshots is no part of this one; nor is what such objects refer to.
void leave_out_unused(std::vector<PartOf>& parts) {
  std::unordered_map<const Object*, std::size_t> places;
  std::unordered_map<const Object*, std::uint32_t> unused_references;
  std::vector<std::size_t> unused;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    places[parts[i].object] = i;
    if (parts[i].object->references() == 0) unused.push_back(i);
  }
  for (std::size_t next = 0; next < unused.size(); ++next) {
    const PartOf& part = parts[unused[next]];
    part.kept->for_each_object([&](Object& held) {
      const auto place = places.find(&held);
      if (&held == part.object || place == places.end()) return;
      if (++unused_references[&held] == held.references()) unused.push_back(place->second);
    });
  }
  for (const std::size_t i : unused) parts[i].kept = nullptr;
}

}  // namespace

std::optional<Interpreter::Snapshot> Interpreter::snapshot() {
  if (!frames_.empty() || !effects_allowed_ || !can_begin_anew(loops_, *blocks_.back())) return std::nullopt;
  std::vector<PartOf> parts;
  bool is_complete = true;
  heap_.for_each([&](Object& object) {
    std::optional<std::unique_ptr<Kept>> part = object.keep();
    is_complete = part.has_value();
    if (is_complete && *part) parts.push_back({&object, std::move(*part)});
    return is_complete;
  });
  if (!is_complete) return std::nullopt;
  leave_out_unused(parts);
  Snapshot made;
  made.loops = loops_;
  std::unordered_map<Scope*, bool> scopes;
  const auto keep_scopes = [&](Scope* scope) {
    for (; scope && scopes.emplace(scope, true).second; scope = scope->outer.get())
      made.parts.push_back(std::make_unique<KeptScope>(*scope));
  };
  keep_scopes(globals_.get());
  for (PartOf& part : parts) {
    if (!part.kept) continue;
    made.parts.push_back(std::move(part.kept));
    const Value value{Ref<Object>(part.object)};
    if (const Function* function = value.as<Function>()) keep_scopes(function->scope.get());
    const TensorObject* tensor = value.as<TensorObject>();
    if (!tensor || !tensor->tensor.defined()) continue;
    const Buffer* buffer = tensor->tensor.storage().buffer.get();
    made.buffers.emplace(buffer, buffer->is_of_file() ? 0 : buffer->bytes());
  }
  const auto copied = [](const auto&... fields) { return std::tuple(fields...); };
  made.put_back_rest = [this, held = std::apply(copied, state())] {
    state() = held;
    scope_ = globals_;
    drawn_from_ = &generator_;
    effects_allowed_ = true;
    fork_number_ = 0;
    iteration_ = -1;
  };
  return made;
}

void Interpreter::go_on(const Snapshot& from, std::shared_ptr<const Block> block) {
  for (const auto& part : from.parts) part->put_back();
  from.put_back_rest();
  resumed_ = from.loops;
  run(std::move(block));
}

}  // namespace attn
