#include "stepper/shape_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "explain/named_sizes.h"
#include "explain/wording.h"
#include "syntax/characters.h"
#include "text/say.h"
#include "torch/axis_names.h"

namespace attn {
namespace {

// ---- brackets, names, sizes and products ----

constexpr std::string_view kBrackets[] = {"torch.Size(", "[", "(", "]", ")"};

/// Without the brackets around it.
std::string_view bare(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    text = trim(text);
    for (const std::string_view bracket : kBrackets) {
      if (text.starts_with(bracket)) {
        text.remove_prefix(bracket.size());
        again = true;
      } else if (text.ends_with(bracket)) {
        text.remove_suffix(bracket.size());
        again = true;
      }
    }
  }
  return text;
}

/// Words, numbers, "*" and ",". "2x3" is a product, too, but x within a name is not.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> out;
  bool glued = false;
  for (const char c : text) {
    const bool times = c == '*' || (c == 'x' && glued && is_digit(out.back().back()));
    if (c == ' ' || c == '\t' || c == ':' || c == '=' || c == ';') {
      glued = false;
    } else if (c == ',' || times) {
      out.emplace_back(1, times ? '*' : ',');
      glued = false;
    } else if (glued) {
      out.back() += c;
    } else {
      out.emplace_back(1, c);
      glued = true;
    }
  }
  return out;
}

/// The size that a name has: of that axis of the value itself, else of the run.
std::optional<std::int64_t> size_of_name(const std::string& name, const Trace& trace, const RecordedValue* like) {
  for (std::size_t d = 0; like && d < like->axes.size() && d < like->shape.size(); ++d)
    if (claimed_name(like->axes[d].name) == claimed_name(name)) return like->shape[d];
  const std::map<std::string, std::int64_t> sizes = named_sizes(trace);
  const auto known = sizes.find(std::string(claimed_name(name)));
  return known == sizes.end() ? std::nullopt : std::optional(known->second);
}

class ShapeReader {
 public:
  ShapeReader(const Trace& trace, const RecordedValue* like, std::string& problem)
      : trace_(trace), like_(like), problem_(problem) {}

  /// `pairs`: a name right before a number is one item with it.
  std::optional<std::vector<ShapeItem>> read(const std::vector<std::string>& tokens, bool pairs) {
    std::vector<ShapeItem> items;
    for (at_ = 0; at_ < tokens.size();) {
      if (tokens[at_] == ",") {
        ++at_;
        continue;
      }
      std::optional<ShapeItem> item = factor(tokens, pairs);
      while (item && at_ + 1 < tokens.size() && tokens[at_] == "*") {
        ++at_;
        const std::optional<ShapeItem> next = factor(tokens, pairs);
        if (!next) return std::nullopt;
        const auto product = checked_mul(item->size, next->size);
        if (!product) return fail(tokens[at_ - 1]);
        const bool named = !item->name.empty() && !next->name.empty();
        item = ShapeItem{named ? item->name + " * " + next->name : "", *product};
      }
      if (!item) return std::nullopt;
      items.push_back(*item);
    }
    return items;
  }

 private:
  std::nullopt_t fail(const std::string& token) {
    problem_ = say("judge.shape.token", {{"token", visible(elide(token, 30))}});
    return std::nullopt;
  }

  std::optional<ShapeItem> factor(const std::vector<std::string>& tokens, bool pairs) {
    const std::string& token = tokens[at_++];
    if (const auto number = parse_int(token)) {
      if (*number >= 0) return ShapeItem{"", *number};
      problem_ = say("judge.shape.negative");
      return std::nullopt;
    }
    const auto size = at_ < tokens.size() && pairs ? parse_int(tokens[at_]) : std::nullopt;
    if (size && *size >= 0) {
      ++at_;
      return ShapeItem{token, *size};
    }
    const auto known = size_of_name(token, trace_, like_);
    if (!known) return fail(token);
    return ShapeItem{token, *known};
  }

  const Trace& trace_;
  const RecordedValue* like_;
  std::string& problem_;
  std::size_t at_ = 0;
};

using Sentences = std::vector<std::string>;

struct Case {
  const Question& question;
  const Trace& trace;
  const RecordedValue& correct;
  const std::vector<ShapeItem>& items;
  Shape given;
};

std::string axis_text(const RecordedValue& value, std::size_t axis) {
  return fmt::format("{} {}", axis_name(value, axis), value.shape[axis]);
}

bool is_length(std::string_view name) { return name == "query_len" || name == "key_len"; }

/// What went into the op that made the value.
std::vector<const RecordedValue*> operands(const Case& c) {
  std::vector<const RecordedValue*> out;
  for (auto op = c.trace.ops.rbegin(); op != c.trace.ops.rend() && out.empty(); ++op) {
    if (std::find(op->outputs.begin(), op->outputs.end(), c.question.value) == op->outputs.end()) continue;
    for (const OpOperand& input : op->inputs) {
      if (input.value >= 0) out.push_back(&c.trace.value(input.value));
    }
  }
  return out;
}

// ---- the mistakes, in the order in which they are tried ----

Sentences shape_before(const Case& c) {
  for (const RecordedValue* value : operands(c)) {
    if (value->is_tensor && value->shape == c.given && value->shape != c.correct.shape)
      return {say("judge.before", {{"axes", axes_text(*value)}})};
  }
  return {};
}

Sentences swapped(const Case& c) {
  if (c.given.size() != c.correct.shape.size()) return {};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < c.given.size(); ++i) {
    if (c.given[i] != c.correct.shape[i]) places.push_back(i);
  }
  if (places.size() != 2 || c.given[places[0]] != c.correct.shape[places[1]] ||
      c.given[places[1]] != c.correct.shape[places[0]])
    return {};
  const std::string first = axis_name(c.correct, places[0]), second = axis_name(c.correct, places[1]);
  if (is_length(first) && is_length(second)) return {say("judge.lengths")};
  return {
      say("judge.swapped", {{"first", axis_text(c.correct, places[0])}, {"second", axis_text(c.correct, places[1])}})};
}

/// query_len where key_len stands, or the other way round, at one place alone.
Sentences other_length(const Case& c) {
  if (c.given.size() != c.correct.shape.size()) return {};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < c.given.size(); ++i) {
    if (c.given[i] != c.correct.shape[i]) places.push_back(i);
  }
  if (places.size() != 1 || !is_length(axis_name(c.correct, places[0]))) return {};
  const std::string other = axis_name(c.correct, places[0]) == "key_len" ? "query_len" : "key_len";
  std::string ignored;
  const auto size = read_shape(other, c.trace, nullptr, ignored);
  if (!size || size->size() != 1 || size->front().size != c.given[places[0]]) return {};
  return {say("judge.length", {{"axis", axis_name(c.correct, places[0])}, {"other", other}})};
}

Sentences reordered(const Case& c) {
  if (c.given.size() != c.correct.shape.size()) return {};
  return std::is_permutation(c.given.begin(), c.given.end(), c.correct.shape.begin()) ? Sentences{say("judge.order")}
                                                                                      : Sentences{};
}

/// One axis is missing.
Sentences forgotten(const Case& c) {
  if (c.given.size() + 1 != c.correct.shape.size()) return {};
  for (std::size_t axis = 0; axis < c.correct.shape.size(); ++axis) {
    Shape without = c.correct.shape;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(axis));
    if (without != c.given) continue;
    const bool batch = axis_name(c.correct, axis) == "batch_size";
    return {say(batch ? "judge.batch" : "judge.missing", {{"axis", axis_text(c.correct, axis)}})};
  }
  return {};
}

/// The place at which two neighbors of `longer` are one axis of `shorter`, which otherwise are alike.
std::optional<std::size_t> joined_at(const Shape& longer, const Shape& shorter) {
  if (longer.size() != shorter.size() + 1) return std::nullopt;
  for (std::size_t i = 0; i + 1 < longer.size(); ++i) {
    Shape joined = longer;
    joined[i] *= joined[i + 1];
    joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    if (joined == shorter) return i;
  }
  return std::nullopt;
}

Sentences merged_or_split(const Case& c) {
  if (const auto at = joined_at(c.correct.shape, c.given)) {
    return {say("judge.merged", {{"first", axis_text(c.correct, *at)}, {"second", axis_text(c.correct, *at + 1)}})};
  }
  if (const auto at = joined_at(c.given, c.correct.shape)) {
    return {say("judge.split", {{"axis", axis_text(c.correct, *at)}})};
  }
  return {};
}

Sentences another_rank(const Case& c) {
  if (c.given.size() == c.correct.shape.size()) return {};
  return {say("judge.rank",
              {{"given", std::to_string(c.given.size())}, {"correct", std::to_string(c.correct.shape.size())}})};
}

/// Sizes are right, but a name says another axis.
Sentences another_name(const Case& c) {
  for (std::size_t i = 0; i < c.items.size(); ++i) {
    const std::string& typed = c.items[i].name;
    const std::string right = axis_name(c.correct, i);
    const bool is_product = typed.find('*') != std::string::npos;
    if (typed.empty() || is_product || i >= c.correct.axes.size() || c.correct.axes[i].name.empty() ||
        claimed_name(typed) == claimed_name(right))
      continue;
    // A name of one's own is no mistake; that of another axis is.
    std::string ignored;
    if (!read_shape(typed, c.trace, nullptr, ignored)) continue;
    if (is_length(typed) && is_length(right)) return {say("judge.length", {{"axis", right}, {"other", typed}})};
    return {say("judge.name", {{"axis", right}, {"other", typed}})};
  }
  return {};
}

/// As many axes as there are, of which one has another size.
Sentences one_size(const Case& c) {
  for (std::size_t i = 0; i < c.given.size(); ++i) {
    if (c.given[i] != c.correct.shape[i])
      return {say("judge.size", {{"axis", axis_name(c.correct, i)},
                                 {"size", std::to_string(c.correct.shape[i])},
                                 {"given", std::to_string(c.given[i])}})};
  }
  return {};
}

constexpr Sentences (*kMistakes[])(const Case&) = {shape_before, swapped,         other_length, reordered,
                                                   forgotten,    merged_or_split, another_rank, one_size};

}  // namespace

std::optional<std::vector<ShapeItem>> read_shape(std::string_view typed, const Trace& trace, const RecordedValue* like,
                                                 std::string& problem) {
  const std::string_view text = bare(typed);
  const bool empty_shape = text.empty() && !trim(typed).empty();  // "[]", "()"
  if (text.empty() && !empty_shape) {
    problem = say("judge.shape.how");
    return std::nullopt;
  }
  const std::vector<std::string> tokens = tokens_of(text);
  ShapeReader reader(trace, like, problem);
  auto items = reader.read(tokens, true);
  // "batch_size n_heads 5 6": names and numbers one after another, where pairs make too few.
  if (items && like && items->size() < like->shape.size()) {
    std::string ignored;
    auto single = ShapeReader(trace, like, ignored).read(tokens, false);
    if (single && single->size() == like->shape.size()) return single;
  }
  return items;
}

std::vector<std::string> shape_mistakes(const Question& question, const Trace& trace,
                                        const std::vector<ShapeItem>& given) {
  const RecordedValue& correct = trace.value(question.value);
  Case c{question, trace, correct, given, {}};
  for (const ShapeItem& item : given) c.given.push_back(item.size);
  if (c.given == correct.shape) return another_name(c);
  for (const auto& mistake : kMistakes) {
    if (Sentences words = mistake(c); !words.empty()) return words;
  }
  return {};
}

}  // namespace attn
