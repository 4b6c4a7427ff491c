#pragma once
// --weights in one recorded run: what was filled, at which step, and what came of it.
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "engine/load_weights.h"
#include "engine/recorder.h"

namespace attn {

class WeightsRun {
 public:
  WeightsRun(std::shared_ptr<const Weights> weights, Recorder& recorder)
      : loader_(std::move(weights)), recorder_(recorder) {}

  /// Fills the parameters in a value that was bound to a name. What was drawn stays drawn, so that later draws keep
  /// their place.
  void fill(const std::string& name, const Value& value);

  /// What was filled and what was not, when the lesson has run.
  ///   Errors: the FileError of a tensor that could not be read: it is no mistake of the cell that asked for it.
  LoadedWeights report() const;
  const std::vector<Misfit>& misfits() const { return loader_.misfits(); }

 private:
  WeightsLoader loader_;
  Recorder& recorder_;
  std::vector<LoadedTensor> loaded_;
  std::exception_ptr unreadable_;
};

}  // namespace attn
