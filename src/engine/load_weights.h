#pragma once
// What --weights does while a lesson runs: a name that is bound to a layer, to a list of layers or to a parameter gets
// the numbers that the file has for it.
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/recorder.h"
#include "engine/trace.h"
#include "engine/weights.h"
#include "python/value.h"

namespace attn {

/// A parameter that the file has in another shape or kind.
struct Misfit {
  std::string name;
  Shape shape;  // in the lesson
  DType dtype;
  std::string stored;  // "h.0.attn.c_attn.weight[..., :768]"
  Shape stored_shape;
  DType stored_dtype;
};

class WeightsLoader {
 public:
  /// A parameter that got its numbers just now.
  struct Loaded {
    LoadedTensor tensor;  // its step and value are the caller's to know
    Ref<TensorObject> handle;
  };

  explicit WeightsLoader(std::shared_ptr<const Weights> weights) : weights_(std::move(weights)) {}

  /// Fills the parameters in a value that was bound to a name of the lesson: fc_q.weight, layers.0.weight,
  /// mha.fc_q.bias.
  ///   Errors: BadFile, FileError.
  std::vector<Loaded> load(const std::string& name, const Value& value);

  const std::vector<Misfit>& misfits() const { return misfits_; }
  /// The sum, what is missing and what was not used.
  LoadedWeights report() const;

 private:
  void load_into(const std::string& name, const Ref<TensorObject>& target, std::vector<Loaded>& out);

  std::shared_ptr<const Weights> weights_;
  std::set<const Weights::Entry*> used_;
  std::vector<Misfit> misfits_;
  std::vector<std::string> missing_;
};

/// The same in one recorded run: what was filled, at which step, and what came of it.
class WeightsRun {
 public:
  WeightsRun(std::shared_ptr<const Weights> weights, Recorder& recorder)
      : loader_(std::move(weights)), recorder_(recorder) {}

  /// Fills the parameters in a value that was bound to a name. What was drawn stays drawn, so that later draws keep
  /// their place.
  void fill(const std::string& name, const Value& value);

  /// What was filled and what was not, when the lesson has run.
  ///   Errors: the FileError of a tensor that could not be read: the cell that asked for it is not at fault.
  LoadedWeights report() const;
  const std::vector<Misfit>& misfits() const { return loader_.misfits(); }

 private:
  WeightsLoader loader_;
  Recorder& recorder_;
  std::vector<LoadedTensor> loaded_;
  std::exception_ptr unreadable_;
};

}  // namespace attn
