#pragma once
// States that a run passed through at the beginning of rounds of its loops. A replay goes on from the nearest one, so
// that a step late in a long training loop does not take as long as all of it.
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cell_runner.h"

namespace attn {

/// A state: what it takes to go on from it.
struct Checkpoint {
  Interpreter::Snapshot state;
  std::shared_ptr<const SyntaxTree> code;  // of the cell that runs
  int cell = 0;                            // its ordinal
  std::vector<std::int64_t> open;          // statements that have begun and not ended, as a recorder counts them
  std::int64_t statements = 0;             // that have begun
};

class Checkpoints {
 public:
  /// At most so many rounds of a loop of a thousand lie between two.
  static constexpr std::size_t kMost = 32;

  explicit Checkpoints(std::shared_ptr<CellRunner> run) : run_(std::move(run)) {}
  ~Checkpoints();
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  void begin_cell(std::shared_ptr<const SyntaxTree> code, int cell);
  /// Of a loop that runs; `open` are the statements around, and the loop. Makes one if it is time.
  void round_begins(std::vector<std::int64_t> open, std::int64_t statements);
  bool is_empty() const { return made_.empty(); }
  /// About what they take.
  std::int64_t bytes() const { return bytes_; }

  /// The last one before that statement begins; null: none.
  const Checkpoint* before(std::int64_t statement) const;
  /// The run that made them, and is at none of them now.
  const std::shared_ptr<CellRunner>& run() const { return run_; }

 private:
  void thin_out();

  std::shared_ptr<CellRunner> run_;
  std::shared_ptr<const SyntaxTree> code_;
  int cell_ = 0;
  struct Made {
    Checkpoint checkpoint;
    std::int64_t own_bytes;  // beside its buffers
  };
  std::vector<Made> made_;
  std::int64_t rounds_ = 0, interval_ = 1;  // since the last one; between two
  std::int64_t work_ = 0, cost_ = 0;        // done when the last one was made; objects in it
  std::int64_t bytes_ = 0;
};

}  // namespace attn
