// Most comments are prose, and prose must not be taken for a list of axes: what does not fit the small grammar below
// whole is no axis comment.
//
//   comment := "axis" NAME ":" NAME
//            | {[shape] operands arrow} [shape] [NAME [".shape"] (":" | "=")] list
//   shape   := [adjective] "shape" [":" | "="]
//   operands:= [list {("x" | "@" | "*" | "+") list}]
//   arrow   := "->" | "=>"
//   list    := "[" items "]" | "(" items ")" | "torch.Size(" "[" items "]" ")"
//   items   := item {"," item} [","]
//   item    := factor {"*" factor}
//   factor  := INTEGER | WORD [WORD [WORD]]
#include "syntax/axis_comment.h"

#include <algorithm>
#include <array>

#include "base/number.h"
#include "base/text.h"
#include "syntax/characters.h"

namespace attn {
namespace {

constexpr std::size_t kMaxWords = 3;  // "src sent len" names an axis, "like the one above" does not

constexpr std::array<std::string_view, 7> kShapeWords = {"shape", "shapes",     "size", "sizes",
                                                         "dims",  "dimensions", "axes"};
constexpr std::array<std::string_view, 5> kAdjectives = {"output", "input", "result", "final", "new"};
constexpr std::string_view kSize = "torch.Size";
constexpr std::string_view kShapeAttribute = ".shape";
constexpr std::array<std::string_view, 4> kArrows = {"->", "-->", "=>", "\u2192"};
constexpr std::array<std::string_view, 5> kAxisOperators = {"x", "@", "*", "+", "\u00d7"};

bool is_identifier(std::string_view text) {
  return !text.empty() && starts_name(text.front()) && std::all_of(text.begin(), text.end(), continues_name);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

template <std::size_t N>
bool contains_word(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), lower(word)) != words.end();
}

std::vector<std::string_view> split_trimmed(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(trim(text.substr(begin, end - begin)));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words = split_trimmed(text, ' ');
  std::erase(words, std::string_view());
  return words;
}

using Factor = std::variant<std::string, std::int64_t>;

std::optional<Factor> parse_factor(std::string_view text) {
  if (!text.empty() && is_digit(text.front())) {
    if (const auto value = parse_int(text)) return Factor(*value);
    return std::nullopt;
  }
  const std::vector<std::string_view> words = split_words(text);
  if (words.empty() || words.size() > kMaxWords || !starts_name(words.front().front())) return std::nullopt;
  std::string name;
  for (const std::string_view word : words) {
    if (!std::all_of(word.begin(), word.end(), continues_name)) return std::nullopt;
    if (!name.empty()) name += '_';
    name += word;
  }
  return Factor(name);
}

std::optional<AxisItem> parse_item(std::string_view text) {
  AxisItem item;
  for (const std::string_view part : split_trimmed(text, '*')) {
    std::optional<Factor> factor = parse_factor(part);
    if (!factor) return std::nullopt;
    item.factors.push_back(std::move(*factor));
  }
  return item;
}

std::optional<std::vector<AxisItem>> parse_items(std::string_view text) {
  std::vector<AxisItem> items;
  if (trim(text).empty()) return items;
  std::vector<std::string_view> parts = split_trimmed(text, ',');
  if (parts.size() > 1 && parts.back().empty()) parts.pop_back();  // (3,)
  for (const std::string_view part : parts) {
    std::optional<AxisItem> item = parse_item(part);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return items;
}

/// Takes "Shape:", "output shape =", "shape" off the front.
std::string_view without_leading_words(std::string_view head) {
  const std::size_t mark = head.find_first_of(":=");
  const std::vector<std::string_view> words = split_words(head.substr(0, mark));
  const bool leading =
      (words.size() == 1 && contains_word(kShapeWords, words[0])) ||
      (words.size() == 2 && contains_word(kAdjectives, words[0]) && contains_word(kShapeWords, words[1]));
  if (!leading) return head;
  return mark == std::string_view::npos ? std::string_view() : trim(head.substr(mark + 1));
}

/// What stands before the bracket: the name, "" for none, nothing when it is prose.
std::optional<std::string> parse_head(std::string_view head) {
  head = without_leading_words(trim(head));
  if (head.empty()) return "";
  if (head.back() != ':' && head.back() != '=') return std::nullopt;
  head = trim(head.substr(0, head.size() - 1));
  if (head.ends_with(kShapeAttribute)) head.remove_suffix(kShapeAttribute.size());
  if (!is_identifier(head)) return std::nullopt;
  return std::string(head);
}

/// "axis query_len: words", "axis batch_size, query_len: sentences"
std::optional<AxisComment> parse_axis_words(std::string_view text) {
  if (!text.starts_with("axis ")) return std::nullopt;
  const std::vector<std::string_view> sides = split_trimmed(text.substr(5), ':');
  if (sides.size() != 2 || !is_identifier(sides[1])) return std::nullopt;
  const std::vector<std::string_view> axes = split_trimmed(sides[0], ',');
  if (axes.size() > 2 || !std::all_of(axes.begin(), axes.end(), is_identifier)) return std::nullopt;
  AxisComment comment;
  comment.axis = axes.back();
  if (axes.size() == 2) comment.by = axes.front();
  comment.words = sides[1];
  return comment;
}

/// `head`, and a bracket that ends the text.
std::optional<AxisComment> parse_bracket(std::string_view head, std::string_view bracket) {
  if (bracket.size() < 2 || bracket.back() != (bracket.front() == '[' ? ']' : ')')) return std::nullopt;
  std::optional<std::string> name = parse_head(head);
  std::optional<std::vector<AxisItem>> items = parse_items(bracket.substr(1, bracket.size() - 2));
  if (!name || !items) return std::nullopt;
  AxisComment comment;
  comment.name = std::move(*name);
  comment.items = std::move(*items);
  comment.in_parentheses = bracket.front() == '(';
  if (comment.in_parentheses && comment.items.empty()) return std::nullopt;
  return comment;
}

/// "x: [a, b]", "(a, b)", "torch.Size([2, 3])"
std::optional<AxisComment> parse_axis_list(std::string_view text) {
  const std::size_t open = text.find_first_of("[(");
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view head = trim(text.substr(0, open));
  const std::string_view before = head.substr(0, head.size() - std::min(head.size(), kSize.size()));
  const bool is_size = head.ends_with(kSize) && (before.empty() || !continues_name(before.back()));
  if (!is_size) return parse_bracket(head, text.substr(open));
  const std::string_view inside = trim(text.substr(open + 1, text.size() - open - 2));
  if (text.back() != ')' || !inside.starts_with('[')) return std::nullopt;
  return parse_bracket(before, inside);
}

/// Whether the text is nothing, or lists of axes with operators between them: "(B, T, C) @ (B, C, D)".
bool is_operands(std::string_view text) {
  for (bool is_first = true; !text.empty(); is_first = false) {
    const std::size_t open = text.find_first_of("[(");
    const std::size_t close = text.find_first_of("])", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return false;
    const std::string_view between = trim(text.substr(0, open));
    if (is_first ? !without_leading_words(between).empty() : !contains_word(kAxisOperators, between)) return false;
    if (!parse_bracket("", text.substr(open, close + 1 - open))) return false;
    text = trim(text.substr(close + 1));
  }
  return true;
}

/// The parts between arrows.
std::vector<std::string_view> split_at_arrows(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    std::size_t begin = std::string_view::npos, size = 0;
    for (const std::string_view arrow : kArrows) {
      const std::size_t found = text.find(arrow);
      if (found >= begin) continue;
      begin = found;
      size = arrow.size();
    }
    parts.push_back(trim(text.substr(0, begin)));
    if (begin == std::string_view::npos) return parts;
    text = text.substr(begin + size);
  }
}

/// "(B, T, C) x (B, C, D) -> (B, T, D)" speaks of what comes out.
std::optional<AxisComment> parse_lists(std::string_view text) {
  const std::vector<std::string_view> parts = split_at_arrows(text);
  const bool are_lists = std::all_of(parts.begin(), parts.end() - 1, is_operands);
  return are_lists && !parts.back().empty() ? parse_axis_list(parts.back()) : std::nullopt;
}

}  // namespace

std::vector<SliceComment> slice_comments(std::string_view code) {
  constexpr std::string_view kMark = "# slice ";
  std::vector<SliceComment> out;
  for (std::string_view line : split_lines(code)) {
    line = trim(line);
    if (!line.starts_with(kMark)) continue;
    for (line.remove_prefix(kMark.size()); !line.empty();) {
      const std::size_t end = std::min(line.find(','), line.size()), colon = std::min(line.find(':'), end);
      const auto index = colon < end ? parse_int(trim(line.substr(colon + 1, end - colon - 1))) : std::nullopt;
      if (index) out.push_back({trim(line.substr(0, colon)), *index});
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }
  return out;
}

std::string axis_text(const AxisItem& item) {
  std::string out;
  for (const Factor& factor : item.factors) {
    if (!out.empty()) out += " * ";
    const auto* name = std::get_if<std::string>(&factor);
    out += name ? *name : std::to_string(std::get<std::int64_t>(factor));
  }
  return out;
}

std::optional<AxisComment> parse_axis_comment(std::string_view text, Span span) {
  const std::string_view inside = trim(text);
  if (inside.empty()) return std::nullopt;
  std::optional<AxisComment> comment = parse_axis_words(inside);
  if (!comment) comment = parse_lists(inside);
  if (!comment) return std::nullopt;
  const auto skipped = static_cast<std::uint32_t>(inside.data() - text.data());
  comment->span = {span.source, span.begin + skipped, span.begin + skipped + static_cast<std::uint32_t>(inside.size())};
  return comment;
}

}  // namespace attn
