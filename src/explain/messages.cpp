#include "explain/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/number.h"
#include "base/text.h"
#include "text/say.h"
#include "text/sentences.h"

namespace attn {
namespace {

constexpr int kWidestOperand = 40;

/// The operands and facts of a rule, by the words of its sentences.
struct RuleWords {
  const OperandNote* left = nullptr;
  const OperandNote* right = nullptr;
  std::vector<Fact> facts;

  std::optional<std::int64_t> fact(std::string_view name) const {
    const auto found = std::find_if(facts.begin(), facts.end(), [&](const Fact& f) { return f.first == name; });
    return found == facts.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string> operator()(std::string_view word) const;

 private:
  std::optional<std::string> axis(const OperandNote& operand, std::string_view place) const;
};

/// "K" of "K [batch_size 3, n_heads 2]".
std::string operand_name(const OperandNote& operand) {
  const std::size_t axes = operand.text.rfind(" [");
  return elide(std::string_view(operand.text).substr(0, axes), kWidestOperand);
}

std::optional<std::string> RuleWords::axis(const OperandNote& operand, std::string_view place) const {
  const std::optional<std::int64_t> number = place == "axis" ? fact("axis") : parse_int(place);
  const auto dims = static_cast<std::int64_t>(operand.shape.size());
  if (!number || *number < -dims || *number >= dims) return std::nullopt;
  const auto at = static_cast<std::size_t>(*number < 0 ? *number + dims : *number);
  // A rule may count axes in another way than the operand as it stands in the source.
  const std::optional<std::int64_t> size = place == "axis" ? fact("size") : std::nullopt;
  if (size && *size != operand.shape[at]) return std::nullopt;
  const bool named = at < operand.axes.size() && !operand.axes[at].empty();
  if (!named) return say("axis.size", {{"size", std::to_string(operand.shape[at])}});
  return fmt::format("{} {}", operand.axes[at], operand.shape[at]);
}

std::optional<std::string> RuleWords::operator()(std::string_view word) const {
  for (const auto& [name, operand] : {std::pair{"left", left}, std::pair{"right", right}}) {
    if (!word.starts_with(name)) continue;
    const std::string_view rest = word.substr(std::string_view(name).size());
    if (!rest.empty() && rest.front() != '.') continue;
    if (operand == nullptr && rest.empty()) break;  // a fact of that name speaks for it
    if (operand == nullptr) return std::nullopt;
    return rest.empty() ? std::optional(operand_name(*operand)) : axis(*operand, rest.substr(1));
  }
  const bool negative = word.starts_with('-');
  const bool less = word.ends_with("-1");
  word = word.substr(negative ? 1 : 0, word.size() - (negative ? 1u : 0u) - (less ? 2u : 0u));
  const std::optional<std::int64_t> value = fact(word);
  if (!value) return std::nullopt;
  return std::to_string((negative ? -*value : *value) - (less ? 1 : 0));
}

/// The size of an axis counted from the right (-1 is the last); nothing beyond the first.
std::optional<std::int64_t> size_from_right(const OperandNote& operand, std::int64_t axis) {
  const auto dims = static_cast<std::int64_t>(operand.shape.size());
  if (axis >= 0 || -axis > dims) return std::nullopt;
  return operand.shape[static_cast<std::size_t>(dims + axis)];
}

/// Of broadcasting: the two operands whose sizes clash, in their order, and the axis counted from the right. The op
/// may have compared them in another order than they stand in the source.
void find_clash(const Diagnostic& diagnostic, RuleWords& words) {
  const auto axis = words.fact("axis"), a = words.fact("a"), b = words.fact("b");
  std::size_t dims = 0;
  for (const OperandNote& operand : diagnostic.operands) dims = std::max(dims, operand.shape.size());
  words.left = words.right = nullptr;
  if (!axis || !a || !b) return;
  const std::int64_t place = *axis - static_cast<std::int64_t>(dims);
  const OperandNote* found[2] = {};
  for (const OperandNote& operand : diagnostic.operands) {
    const std::optional<std::int64_t> size = size_from_right(operand, place);
    if (size == a && found[0] == nullptr) found[0] = &operand;
    if (size == b && found[1] == nullptr) found[1] = &operand;
  }
  if (found[0] == nullptr || found[1] == nullptr) return;
  words.left = std::min(found[0], found[1]);
  words.right = std::max(found[0], found[1]);
  for (Fact& fact : words.facts)
    if (fact.first == "axis") fact.second = place;
}

std::optional<std::string> rule_sentence(const Diagnostic& diagnostic) {
  RuleWords words;
  words.facts = diagnostic.facts;
  // What failed inside of an operation was given other tensors than these.
  const bool fits = !diagnostic.is_inner;
  if (fits && !diagnostic.operands.empty()) words.left = &diagnostic.operands[0];
  if (fits && diagnostic.operands.size() > 1) words.right = &diagnostic.operands[1];
  if (fits && diagnostic.rule == "broadcast") find_clash(diagnostic, words);
  for (const Sentence& sentence : sentences_of("rule." + diagnostic.rule))
    if (std::optional<std::string> text = filled(sentence.text(), std::cref(words))) return text;
  return std::nullopt;
}

}  // namespace

std::string message_for_display(std::string_view message) {
  constexpr std::size_t kLongest = 2000, kEnd = 200;
  if (message.size() <= kLongest) return std::string(message);
  return std::string(message.substr(0, kEnd)) + " ... " + std::string(message.substr(message.size() - kEnd));
}

Diagnostic explained(const Diagnostic& diagnostic) {
  Diagnostic result = diagnostic;
  result.message = message_for_display(diagnostic.message);
  // An assertion without words of its own says what does not hold.
  if (result.code == Code::Assertion && result.message.empty()) std::swap(result.message, result.hint);
  if (diagnostic.rule.empty()) return result;
  const TriedFix& tried = diagnostic.tried;
  if (!tried.code.empty())
    result.fix = tried.gives.empty()   ? say("error.fix.runs", {{"code", tried.code}})
                 : tried.gives == "[]" ? say("error.fix.number", {{"code", tried.code}})
                                       : say("error.fix", {{"code", tried.code}, {"axes", tried.gives}});
  const std::optional<std::string> sentence = rule_sentence(diagnostic);
  if (!sentence || *sentence == diagnostic.message) return result;
  result.message = *sentence;
  if (!diagnostic.message.empty()) result.message += "\n" + say("error.torch", {{"text", diagnostic.message}});
  return result;
}

}  // namespace attn
