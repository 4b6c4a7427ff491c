#include "engine/weights_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/number.h"
#include "base/text.h"
#include "engine/parameters.h"
#include "text/say.h"

namespace attn {
namespace {

using Settings = std::map<std::string, std::int64_t>;

constexpr std::size_t kMostTrials = 12;
constexpr std::size_t kMostListed = 12;

bool fits_turned(const Misfit& misfit) {
  return misfit.shape.size() == 2 && misfit.stored_shape.size() == 2 && misfit.shape[0] == misfit.stored_shape[1] &&
         misfit.shape[1] == misfit.stored_shape[0];
}

std::string sentence(const Misfit& misfit) {
  const std::string stored = visible(misfit.stored);
  if (misfit.shape == misfit.stored_shape)
    return say("weights.misfit.type", {{"name", misfit.name},
                                       {"type", std::string(short_name(misfit.dtype))},
                                       {"stored", stored},
                                       {"stored_type", std::string(short_name(misfit.stored_dtype))}});
  const std::string text = say(misfit.stored == misfit.name ? "weights.misfit.shape" : "weights.misfit.renamed",
                               {{"name", misfit.name},
                                {"shape", shape_text(misfit.shape)},
                                {"stored", stored},
                                {"stored_shape", shape_text(misfit.stored_shape)}});
  if (!fits_turned(misfit)) return text;
  if (!stored.ends_with(".T"))
    return text + "; " + say("weights.misfit.not_turned", {{"stored", stored}, {"name", misfit.name}});
  const std::string bare = stored.substr(0, stored.size() - 2);
  return text + "; " + say("weights.misfit.turned", {{"stored", bare}, {"name", misfit.name}});
}

/// The int parameters of the lesson with the values of this run.
Settings int_parameters(const Lesson& lesson, const RunOptions& options) {
  Settings sizes;
  for (const LessonParameter& parameter : parameters_of(lesson)) {
    const auto set = options.set.find(parameter.name);
    const auto value = parse_int(set == options.set.end() ? parameter.literal : set->second);
    if (value && *value > 0 && parameter.name != "seed") sizes[parameter.name] = *value;
  }
  return sizes;
}

/// Settings that turn a size of the lesson into that of the file: where the size is the parameter's, or a multiple.
/// The last one sets all parameters that have such a size.
std::vector<Settings> candidates(const Settings& sizes, const std::vector<Misfit>& misfits) {
  std::vector<Settings> same, multiple;
  Settings all;
  std::set<Settings> seen;
  for (const Misfit& misfit : misfits) {
    for (std::size_t axis = 0; axis < misfit.shape.size() && axis < misfit.stored_shape.size(); ++axis) {
      const std::int64_t here = misfit.shape[axis], wanted = misfit.stored_shape[axis];
      for (const auto& [name, value] : sizes) {
        if (here == wanted || here % value != 0 || wanted % (here / value) != 0) continue;
        const Settings one = {{name, wanted / (here / value)}};
        if (here == value) all.insert(*one.begin());
        if (seen.insert(one).second) (here == value ? same : multiple).push_back(one);
      }
    }
  }
  same.insert(same.end(), multiple.begin(), multiple.end());
  if (same.size() > kMostTrials) same.resize(kMostTrials);
  if (all.size() > 1) same.push_back(all);
  return same;
}

std::string hint_for(const Lesson& lesson, const RunOptions& options, const std::vector<Misfit>& misfits,
                     const TryRun& try_run) {
  for (const Settings& settings : candidates(int_parameters(lesson, options), misfits)) {
    RunOptions changed = options;
    changed.value_budget = 0;
    std::string text;
    for (const auto& [name, value] : settings) {
      changed.set[name] = std::to_string(value);
      text += fmt::format("{}--set {}={}", text.empty() ? "" : " ", name, value);
    }
    if (try_run(changed)) return say("weights.misfit.settings", {{"settings", text}});
  }
  return "";
}

}  // namespace

UserError misfit_error(const Lesson& lesson, const RunOptions& options, const std::vector<Misfit>& misfits,
                       const TryRun& try_run) {
  const std::string reason = say_count("weights.misfits", static_cast<std::int64_t>(misfits.size()));
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < misfits.size() && i < kMostListed; ++i) sentences.push_back(sentence(misfits[i]));
  if (misfits.size() > kMostListed)
    sentences.push_back(say("weights.misfit.more", {{"count", std::to_string(misfits.size() - kMostListed)}}));
  return UserError(options.given_weights.file + ": " + reason, hint_for(lesson, options, misfits, try_run),
                   UserError::Fault::Input, std::move(sentences));
}

}  // namespace attn
