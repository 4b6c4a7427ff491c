#include "engine/checkpoints.h"

#include <algorithm>
#include <unordered_set>

#include "base/limits.h"

namespace attn {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;
// Units of work that the run does for each object of a checkpoint, so that these take a small part of its time.
constexpr std::int64_t kWorkOfObject = 20;

}  // namespace

Checkpoints::~Checkpoints() {
  made_.clear();  // before the interpreter that its objects belong to
}

void Checkpoints::begin_cell(std::shared_ptr<const SyntaxTree> code, int cell) {
  code_ = std::move(code);
  cell_ = cell;
}

void Checkpoints::round_begins(std::vector<std::int64_t> open, std::int64_t statements) {
  if (++rounds_ < interval_ || work_done() - work_ < cost_ * kWorkOfObject) return;
  const std::int64_t before = heap_bytes;
  std::optional<Interpreter::Snapshot> state = run_->interpreter().snapshot();
  if (!state) return;
  rounds_ = 0;
  work_ = work_done();
  cost_ = static_cast<std::int64_t>(state->parts.size());
  made_.push_back({{std::move(*state), code_, cell_, std::move(open), statements}, heap_bytes - before});
  const auto count_bytes = [&] {
    bytes_ = 0;
    std::unordered_set<const Buffer*> counted;
    for (const Made& made : made_) {
      bytes_ += made.own_bytes;
      for (const auto& [buffer, bytes] : made.checkpoint.state.buffers)
        if (counted.insert(buffer).second) bytes_ += bytes;
    }
  };
  count_bytes();
  while (made_.size() > kMost || (bytes_ > kMostBytes && !made_.empty())) {
    thin_out();
    count_bytes();
  }
}

// Leaves every second one, the first among them.
void Checkpoints::thin_out() {
  std::size_t place = 0;
  std::erase_if(made_, [&](const Made&) { return place++ % 2 == 1 || made_.size() == 1; });
  interval_ *= 2;
}

const Checkpoint* Checkpoints::before(std::int64_t statement) const {
  const Checkpoint* nearest = nullptr;
  for (const Made& made : made_)
    if (made.checkpoint.statements <= statement) nearest = &made.checkpoint;
  return nearest;
}

}  // namespace attn
