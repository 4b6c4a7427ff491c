#pragma once
// Which slice of a tensor with three axes or more a table shows: the one that the lesson names, else the first in which
// something happened (a mask filled in, NaN, a difference from what it is compared with), else the first.
#include <map>
#include <string>

#include "engine/trace.h"

namespace attn {

/// `index`: of each leading axis. `why`: "the first with NaN"; empty where the lesson chose, or nothing sets one apart.
struct ShownSlice {
  Shape index;
  std::string why;
};

/// Of a tensor with more elements, as expand() makes them, no elements are looked for or compared.
inline constexpr std::int64_t kMostLookedAt = std::int64_t{1} << 24;

/// Made once for the tables of a view: it follows what masks filled in through all ops of the run.
class ShownSlices {
 public:
  explicit ShownSlices(const Trace& trace);

  /// Of the table of `value` at the step. A comment on a line of its own names one for all tables of its cell:
  /// "# slice batch_size: 2, n_heads: 1".
  ShownSlice of(const Step& step, ValueId value) const;

 private:
  /// The first slice of a value into which a mask filled something, or that came of such a slice.
  struct Filled {
    Shape index;
    bool is_padding = false;  // what was filled in is labelled so
  };

  void follow(const Op& op);
  void inherit(const Filled& filled, ValueId from, ValueId to);

  const Trace& trace_;
  std::map<ValueId, Filled> filled_;
};

}  // namespace attn
