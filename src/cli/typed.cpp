#include "cli/typed.h"

#include <algorithm>
#include <cstdlib>

#include "base/number.h"
#include "base/text.h"
#include "cli/output.h"
#include "text/say.h"

namespace attn {

std::int64_t number_in(const std::string& option, const std::string& text, std::int64_t least, std::int64_t most) {
  const auto number = parse_int(text);
  if (number && *number >= least && *number <= most) return *number;
  throw UserError(say("option.number", {{"option", option},
                                        {"least", std::to_string(least)},
                                        {"most", std::to_string(most)},
                                        {"text", elide(text, 40)}}));
}

namespace {

// "500M", "500MiB" -> bytes
std::int64_t bytes_in(const std::string& option, std::string text) {
  std::int64_t unit = 1;
  const std::string suffixes = "KMG";
  for (const char suffix : suffixes)
    if (text.ends_with(suffix + std::string("iB"))) text.resize(text.size() - 2);
  if (!text.empty()) {
    const std::size_t place = suffixes.find(text.back());
    if (place != std::string::npos) {
      unit = std::int64_t{1} << (10 * (place + 1));
      text.pop_back();
    }
  }
  return number_in(option, text, 1, (std::int64_t{1} << 50) / unit) * unit;
}

// "n_heads=1,2,4"
Sweep sweep_in(const std::string& text) {
  constexpr std::size_t kMostRuns = 32;
  const std::size_t equals = text.find('=');
  Sweep sweep;
  if (equals != std::string::npos) {
    sweep.name = text.substr(0, equals);
    for (std::size_t at = equals + 1; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      sweep.values.emplace_back(trim(std::string_view(text).substr(at, end - at)));
      at = end + 1;
    }
  }
  const bool has_gap = std::find(sweep.values.begin(), sweep.values.end(), "") != sweep.values.end();
  if (sweep.name.empty() || sweep.values.empty() || has_gap)
    throw UserError(say("option.sweep", {{"text", elide(text, 40)}}), "attn-tutor lesson 3 --sweep n_heads=1,2,4,8");
  if (sweep.values.size() > kMostRuns)
    throw UserError(say("option.sweep.many",
                        {{"most", std::to_string(kMostRuns)}, {"count", std::to_string(sweep.values.size())}}));
  return sweep;
}

// Which words or ids are read; read_own_input() reads them.
void understand_input(const Typed& typed, const std::function<bool(const char*)>& given, GivenInput& input) {
  input.data = typed.data;
  input.vocab = typed.vocab;
  for (const auto& [option, file] : {std::pair("--data", typed.data), std::pair("--vocab", typed.vocab)})
    if (given(option) && file.empty()) throw UserError(say("option.file", {{"option", option}}));
  if (given("--text") && given("--data")) throw UserError(say("option.input"), say("option.input.hint"));
  if (given("--vocab") && !given("--text") && !given("--data"))
    throw UserError(say("option.vocab"), say("option.vocab.hint"));
}

void understand_weights(const Typed& typed, const std::function<bool(const char*)>& given, GivenWeights& weights) {
  weights.file = typed.weights;
  if (given("--weights") && weights.file.empty()) throw UserError(say("option.file", {{"option", "--weights"}}));
}

}  // namespace

void understand(Typed& typed, const std::function<bool(const char*)>& given) {
  Request& request = typed.request;
  if (given("--seed")) request.run.seed = number_in("--seed", typed.seed, INT64_MIN, INT64_MAX);
  if (given("--step")) request.step = static_cast<int>(number_in("--step", typed.step, 1, 1'000'000));
  if (given("--depth"))
    request.depth = typed.depth == "all" ? -1 : static_cast<int>(number_in("--depth", typed.depth, 0, 1000));
  if (given("--width")) request.width = static_cast<int>(number_in("--width", typed.width, kMinWidth, kMaxWidth));
  if (given("--threads")) request.threads = static_cast<int>(number_in("--threads", typed.threads, 1, 256));
  if (given("--max-memory")) request.limits.max_memory = bytes_in("--max-memory", typed.max_memory);
  if (given("--max-steps")) request.limits.max_work = number_in("--max-steps", typed.max_steps, 1, INT64_MAX);
  if (given("--color")) {
    const std::pair<const char*, ColorMode> modes[] = {
        {"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}};
    const auto* mode =
        std::find_if(std::begin(modes), std::end(modes), [&](const auto& row) { return typed.color == row.first; });
    if (mode == std::end(modes)) throw UserError(say("option.color", {{"text", elide(typed.color, 40)}}));
    request.color = mode->second;
  }
  if (const char* wanted = std::getenv("ACCESSIBLE"); wanted && *wanted && std::string_view(wanted) != "0")
    request.accessible = true;
  if (given("--sweep")) request.sweep = sweep_in(typed.sweep);
  if (given("--answers")) {
    request.answers = typed.answers;
    if (request.answers.empty()) throw UserError(say("option.answers"));
  }
  if (given("--student")) {
    request.student = std::string(trim(replaced(typed.student, "\n", " ")));
    if (request.student.empty()) throw UserError(say("option.student"), "attn-tutor lesson 3 --student 'Ada Lovelace'");
    for (const char* other : {"--seed", "--set", "--text", "--data", "--sweep"})
      if (given(other)) throw UserError(say("option.student.both", {{"option", other}}));
  }
  understand_input(typed, given, request.run.given);
  understand_weights(typed, given, request.run.given_weights);
  if (given("--transcript")) {
    request.transcript = typed.transcript;
    if (request.transcript.empty()) throw UserError(say("option.file", {{"option", "--transcript"}}));
  }
  for (const std::string& setting : typed.set) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw UserError(say("option.set", {{"text", elide(setting, 40)}}), "attn-tutor lesson 3 --set n_heads=4");
    request.run.set[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
}

}  // namespace attn
