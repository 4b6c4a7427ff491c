// Learning rates that do not arrive: a schedule that returns a rate where a factor is asked for, an attribute that no
// optimizer reads.
#include <cctype>
#include <set>

#include "base/number.h"
#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"

namespace attn {
namespace {

bool is_optimizer(const RecordedValue& value) {
  return has_word("SGD Adam AdamW Adamax NAdam RAdam RMSprop Adagrad Adadelta", value.type);
}

std::string_view code_at(const Trace& trace, const Step& step) {
  return trace.sources[step.span.source].slice(step.span);
}

bool goes_on_with(char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)); }

/// The name at a place in code: "base_lr" of "base_lr * step", "self.lr" of "self.lr * step".
std::string_view name_at(std::string_view code, std::size_t at) {
  std::size_t end = at;
  while (end < code.size() && goes_on_with(code[end])) ++end;
  return code.substr(at, end - at);
}

/// "get_lr" of "self.get_lr" and "Trainer.get_lr".
std::string_view bare_name(std::string_view function) { return function.substr(function.rfind('.') + 1); }

/// What the optimizers of the program get as their rate, as it is written: "base_lr", "1e-3"; "" where they differ.
std::string rate_of_optimizers(const Trace& trace) {
  std::string rate;
  for (const Step& step : trace.steps) {
    for (const Binding& binding : step.bindings) {
      if (binding.value < 0 || !is_optimizer(trace.value(binding.value))) continue;
      const std::string_view code = code_at(trace, step);
      const std::size_t at = code.find("lr=");
      if (at == std::string_view::npos) return {};
      const std::string here(trim(code.substr(at + 3, code.find_first_of(",)", at) - at - 3)));
      if (!rate.empty() && rate != here) return {};
      rate = here;
    }
  }
  return rate;
}

/// The names of that rate: itself, or where it is a number, those that the program gives this number.
std::set<std::string> names_of_rate(const Trace& trace, const std::string& rate) {
  if (!parse_double(rate)) return {rate};
  std::set<std::string> names;
  for (const Source& source : trace.sources) {
    const std::string text = on_one_line(source.text);
    for (std::size_t at = text.find(rate); at != std::string::npos; at = text.find(rate, at + 1)) {
      const std::string_view before = trim(std::string_view(text).substr(0, at));
      if (!before.ends_with('=') || (at + rate.size() < text.size() && goes_on_with(text[at + rate.size()]))) continue;
      const std::string_view left = trim(before.substr(0, before.size() - 1));
      std::size_t begin = left.size();
      while (begin > 0 && goes_on_with(left[begin - 1])) --begin;
      names.emplace(left.substr(begin));
    }
  }
  return names;
}

/// The number of a rate that is written as one, or as a name that is bound to one; nothing: it is not known.
std::optional<double> number_of_rate(const Trace& trace, const std::string& rate) {
  if (const auto number = parse_double(rate)) return number;
  for (const Step& step : trace.steps)
    for (const Binding& binding : step.bindings)
      if (binding.target == rate && binding.value >= 0 && !trace.value(binding.value).text.empty())
        return parse_double(trace.value(binding.value).text);
  for (const Source& source : trace.sources) {
    const std::string assigned = rate + " = ";
    const std::size_t at = source.text.find(assigned);
    if (at == std::string::npos) continue;
    const std::string_view right = std::string_view(source.text).substr(at + assigned.size());
    return parse_double(trim(right.substr(0, right.find_first_of(" \n#"))));
  }
  return std::nullopt;
}

/// A product of the rate in code, "base_lr * (step + 1)": what has to go for a factor, as a part of the code.
std::string_view times_rate(std::string_view code, const std::set<std::string>& names) {
  std::string_view product;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const std::string_view name = name_at(code, at);
    if (name.empty()) continue;
    const std::size_t end = at + name.size();
    if (names.contains(std::string(name)) && trim(code.substr(0, at)).ends_with('/')) return {};  // a factor again
    if (names.contains(std::string(name)) && code.substr(end).starts_with(" * ")) {
      const std::string_view before = trim(code.substr(0, at));
      if (before.ends_with("return") || before.ends_with(':')) product = code.substr(at, name.size() + 3);
    }
    at = end;
  }
  return product;
}

/// The text of a function, from its def to the line before the next one that is not further in.
std::string_view text_of_function(const Trace& trace, std::string_view function) {
  for (const Source& source : trace.sources) {
    const std::string_view text = source.text;
    const std::size_t def = text.find("def " + std::string(function) + "(");
    if (def == std::string_view::npos) continue;
    const std::size_t line = text.rfind('\n', def), margin = def - (line == std::string_view::npos ? 0 : line + 1);
    std::size_t end = text.find('\n', def);
    for (; end != std::string_view::npos; end = text.find('\n', end + 1)) {
      const std::size_t first = text.find_first_not_of(" \n", end);
      if (first == std::string_view::npos || first - (text.rfind('\n', first) + 1) <= margin) break;
    }
    return text.substr(def, end == std::string_view::npos ? end : end - def);
  }
  return {};
}

/// Whether code uses one of the names, and divides by none of them.
bool uses_rate(std::string_view code, const std::set<std::string>& names) {
  bool uses = false;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const std::string_view name = name_at(code, at);
    if (name.empty()) continue;
    const bool is_rate = names.contains(std::string(name));
    if (is_rate && trim(code.substr(0, at)).ends_with('/')) return false;  // a factor again
    uses = uses || is_rate;
    at += name.size();
  }
  return uses;
}

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// The first step at which that function returned a rate: it uses the rate of the optimizer, and none of its numbers is
/// larger; -1: none. Of a long run no number is known: then a return has to multiply by the rate.
StepId returned_rate(const Trace& trace, std::string_view function, const std::set<std::string>& names, double rate) {
  if (!uses_rate(text_of_function(trace, function), names)) return -1;
  StepId first = -1;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    if (bare_name(step.function) != function || step.value < 0 || !code_at(trace, step).starts_with("return "))
      continue;
    const auto factor = parse_double(trace.value(step.value).text);
    if (factor && *factor > rate * 1.001) return -1;
    if (factor ? *factor <= 0 : times_rate(code_at(trace, step), names).empty()) continue;
    if (first < 0) first = static_cast<StepId>(i);
  }
  return first;
}

/// LambdaLR(opt, schedule) multiplies the optimizer's rate with what the function returns.
void rate_as_factor(const Flow& flow, std::vector<Finding>& findings) {
  const Trace& trace = flow.trace();
  const std::string rate = rate_of_optimizers(trace);
  if (rate.empty() || number_of_rate(trace, rate).value_or(0) > 0.1) return;
  const std::set<std::string> names = names_of_rate(trace, rate);
  for (std::size_t i = 0; i < trace.steps.size() && !names.empty(); ++i) {
    const Step& step = trace.steps[i];
    const std::string_view code = code_at(trace, step);
    const std::size_t call = code.find("LambdaLR(");
    if (call == std::string_view::npos || step.bindings.empty() || step.bindings[0].value < 0 ||
        trace.value(step.bindings[0].value).type != "LambdaLR")
      continue;
    Span inside = step.span;
    inside.begin += static_cast<std::uint32_t>(call + 8);
    const std::vector<Span> arguments = pieces_of(trace.sources[inside.source], inside);
    if (arguments.size() < 2) continue;
    std::string_view given = trace.sources[inside.source].slice(arguments[1]);
    if (given.starts_with("lr_lambda=")) given.remove_prefix(10);
    const bool is_lambda = given.starts_with("lambda ");
    const double number = number_of_rate(trace, rate).value_or(0);
    const StepId at =
        is_lambda ? static_cast<StepId>(i) : returned_rate(trace, bare_name(given), names, number > 0 ? number : 0.1);
    if (at < 0) continue;
    const std::string_view part = times_rate(is_lambda ? given : code_at(trace, trace.step(at)), names);
    if (is_lambda && part.empty()) continue;
    Finding finding{"factor", -1, say("lint.factor"), say("lint.factor.right")};
    finding.step = at;
    const Span span = trace.step(at).span;
    if (const std::size_t begin =
            part.empty() ? 0 : static_cast<std::size_t>(part.data() - trace.sources[span.source].text.data());
        !part.empty() && (is_lambda || count_of(text_of_function(trace, bare_name(given)), "return ") == 1))
      finding.tries.push_back({{span_of(span.source, begin, begin + part.size()), ""}});
    const std::string factor = "lambda step: " + std::string(given) + "(step) / " + rate;
    if (!is_lambda)
      finding.tries.push_back(
          {{span_of(arguments[1].source, arguments[1].end - given.size(), arguments[1].end), factor}});
    findings.push_back(std::move(finding));
    return;
  }
}

/// opt.lr = 0.1: any object takes any attribute, and an optimizer has its rate in param_groups.
void rate_nobody_reads(const Flow& flow, std::vector<Finding>& findings) {
  const Trace& trace = flow.trace();
  std::set<std::string> optimizers;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    for (const Binding& binding : step.bindings) {
      if (binding.value >= 0 && is_optimizer(trace.value(binding.value))) optimizers.insert(binding.target);
      if (!binding.target.ends_with(".lr")) continue;
      const std::string optimizer = binding.target.substr(0, binding.target.size() - 3);
      const std::string_view code = code_at(trace, step);
      if (!optimizers.contains(optimizer) || !code.starts_with(binding.target + " = ")) continue;
      const std::string text = on_one_line(trace.sources[step.span.source].text);
      std::size_t times = 0, set = 0;
      for (std::size_t at = text.find(binding.target); at != std::string::npos;
           at = text.find(binding.target, at + 1)) {
        ++times;
        if (text.compare(at + binding.target.size(), 3, " = ") == 0) ++set;
      }
      if (times != set) continue;  // something reads it
      const std::string rate(code.substr(binding.target.size() + 3));
      Finding finding{"rate", -1, say("lint.rate", {{"optimizer", optimizer}}),
                      say("lint.rate.right", {{"optimizer", optimizer}, {"rate", rate}})};
      finding.step = static_cast<StepId>(i);
      finding.tries.push_back({{step.span, "for group in " + optimizer + ".param_groups: group['lr'] = " + rate}});
      findings.push_back(std::move(finding));
      return;
    }
  }
}

}  // namespace

Rules rate_rules() {
  static constexpr RuleRow kRows[] = {
      {.in_run = rate_as_factor},
      {.in_run = rate_nobody_reads},
  };
  return kRows;
}

}  // namespace attn
