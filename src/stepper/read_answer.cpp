// Typed shapes: brackets, names, sizes and products.
#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "explain/messages.h"
#include "explain/named_sizes.h"
#include "lang/characters.h"
#include "stepper/judge.h"

namespace attn {
namespace {

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
    if (like->axes[d].name == name) return like->shape[d];
  const std::map<std::string, std::int64_t> sizes = named_sizes(trace);
  const auto known = sizes.find(name);
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

}  // namespace attn
