// Positions that are added to words: along which axis, and how fast their waves slow down; and those that are added to
// scores.
#include <cmath>
#include <set>

#include "base/text.h"
#include "explain/lint/lint_rules.h"
#include "syntax/snippet.h"
#include "tensor/core/read.h"
#include "tensor/ops/layout.h"

namespace attn {
namespace {

/// The first two rows of a table of positions: sin and cos in turn, of 0 and of 1 times each frequency.
std::optional<std::vector<double>> second_row_of_waves(const RecordedValue& table) {
  if (!has_few_numbers(table) || table.is_parameter || table.shape.size() < 2 || table.tensor.numel() == 0)
    return std::nullopt;
  const auto width = static_cast<std::size_t>(table.shape.back());
  const auto lengths = std::count_if(table.shape.begin(), table.shape.end() - 1, [](auto size) { return size > 1; });
  if (width < 4 || width % 2 != 0 || lengths != 1) return std::nullopt;
  const auto length = std::find_if(table.shape.begin(), table.shape.end() - 1, [](auto size) { return size > 1; });
  const std::vector<double> numbers = to_doubles(narrow(table.tensor, length - table.shape.begin(), 0, 2));
  for (std::size_t i = 0; i < width; ++i)
    if (std::fabs(numbers[i] - static_cast<double>(i % 2)) > 1e-6) return std::nullopt;
  if (std::fabs(numbers[width] - std::sin(1)) > 1e-5 || std::fabs(numbers[width + 1] - std::cos(1)) > 1e-5)
    return std::nullopt;
  return std::vector<double>(numbers.begin() + static_cast<std::ptrdiff_t>(width),
                             numbers.begin() + static_cast<std::ptrdiff_t>(2 * width));
}

/// The arange() whose numbers a table was asked for; null: something else made the rows.
const Op* ids_of_lookup(const Flow& flow, ValueId rows) {
  const Op* lookup = flow.maker(unmoved(flow, rows));
  const ValueId ids = lookup && plain_name(*lookup) == "embedding" ? input_named(*lookup, "input") : -1;
  const Op* counted = ids < 0 ? nullptr : flow.maker(unmoved(flow, ids));
  return counted && plain_name(*counted) == "arange" ? counted : nullptr;
}

/// pe[:x.size(0), :] as pe[:x.size(1), 0]: a row for each word, out of a table that has an axis of size 1 for the
/// batch.
std::optional<std::string> cut_along_words(std::string_view code) {
  const Source cut{"", std::string(code)};
  std::size_t open = code.size();
  for (int depth = 0; open-- > 0;) {
    depth += (code[open] == ']') - (code[open] == '[');
    if (depth == 0) break;
  }
  if (!code.ends_with(']') || open >= code.size()) return std::nullopt;
  const std::vector<Span> items = pieces_of(cut, span_of(0, open, code.size()));
  if (items.empty()) return std::nullopt;
  for (std::size_t i = 1; i < items.size(); ++i)
    if (const auto item = trim(cut.slice(items[i])); item != ":" && item != "...") return std::nullopt;
  const std::string first(trim(cut.slice(items[0])));
  std::string words = replaced(replaced(first, "size(0)", "size(1)"), "shape[0]", "shape[1]");
  if (first.starts_with(":len(") && first.ends_with(')')) words = ":" + first.substr(5, first.size() - 6) + ".size(1)";
  if (words == first) return std::nullopt;
  return std::string(code.substr(0, open)) + "[" + words + ", 0]";
}

/// unsqueeze(1) as unsqueeze(0), on the way to the rows or to the ids they were asked for.
std::optional<LineEdit> axis_in_front(const Flow& flow, ValueId rows) {
  for (const Op* op = flow.maker(rows); op && !op->inputs.empty(); op = flow.maker(op->inputs[0].value))
    if (plain_name(*op) == "unsqueeze") return with_argument(flow, *op, {"dim"}, "0", 0);
  return std::nullopt;
}

/// pe[:x.size(0)], or positions(torch.arange(x.size(0))), with the batch first: every text gets one position, the same
/// for all its words.
std::optional<Finding> positions_of_the_batch(const Flow& flow, const Op& op) {
  if (plain_name(op) != "add" || op.inputs.size() != 2 || op.outputs.empty()) return std::nullopt;
  const ValueId x = op.inputs[0].value, rows = op.inputs[1].value;
  const RecordedValue &text = flow.value(x), &added = flow.value(rows);
  if (text.shape.size() != 3 || added.shape.size() != 3 || added.shape[1] != 1 || added.shape[0] != text.shape[0] ||
      text.shape[1] < 2 || text.shape[0] == text.shape[1])
    return std::nullopt;
  const Op* cut = flow.maker(rows);
  while (cut && plain_name(*cut) == "detach") cut = flow.maker(cut->inputs[0].value);
  const bool is_cut = cut && (plain_name(*cut) == "index" || plain_name(*cut) == "narrow") && !cut->inputs.empty() &&
                      flow.value(cut->inputs[0].value).shape[0] > added.shape[0];
  const Op* counted = is_cut ? nullptr : ids_of_lookup(flow, rows);
  if (!is_cut && !counted) return std::nullopt;
  // Which axis is the sequence is seen where attention looks along it.
  std::set<ValueId> seen;
  std::vector<ValueId> ahead = {op.outputs[0]};
  bool is_batch_first = false;
  while (!ahead.empty() && seen.size() < 200) {
    const ValueId id = ahead.back();
    ahead.pop_back();
    if (!seen.insert(id).second) continue;
    for (const Op* user : flow.users(id)) {
      const Shape& shape = flow.value(user->inputs[0].value).shape;
      const std::string_view name = plain_name(*user);
      if (name == "softmax" && shape.size() >= 2 && shape.back() == shape[shape.size() - 2])
        is_batch_first = is_batch_first || shape.back() == text.shape[1];
      if (name == "multi_head_attention") is_batch_first = is_batch_first || shape[0] == text.shape[1];
      ahead.insert(ahead.end(), user->outputs.begin(), user->outputs.end());
    }
  }
  if (!is_batch_first) return std::nullopt;
  Finding finding =
      found(flow, "positions", op, {{"batch", axis_at_place(text, 0)}, {"length", axis_at_place(text, 1)}}, {});
  if (is_cut) {
    if (const auto words = cut_along_words(code_of(flow, *cut))) finding.tries.push_back({{cut->span, *words}});
    return finding;
  }
  const std::string code(code_of(flow, *counted));
  for (const auto& [from, to] : {std::pair{"size(0)", "size(1)"}, std::pair{"shape[0]", "shape[1]"}}) {
    if (code.find(from) == std::string::npos) continue;
    LineEdits edits = {{counted->span, replaced(code, from, to)}};
    if (const auto turned = axis_in_front(flow, rows)) edits.push_back(*turned);
    finding.tries.push_back(std::move(edits));
  }
  return finding;
}

/// The frequencies of sin and cos fall twice as fast as 10000 ** (-2i / width): i counted in steps of two, and times 2.
std::optional<Finding> positions_with_another_exponent(const Flow& flow, const Op& op) {
  if (plain_name(op) != "add" || op.inputs.size() != 2) return std::nullopt;
  for (const OpOperand& input : op.inputs) {
    const RecordedValue& table = flow.value(input.value);
    const auto row = second_row_of_waves(table);
    if (!row) continue;
    const auto width = static_cast<double>(table.shape.back());
    const double next = std::asin(std::clamp((*row)[2], -1.0, 1.0));
    if (!is_near(next, std::pow(10000, -4 / width))) continue;
    Finding finding = found(flow, "exponent", op,
                            {{"given", short_number(next)}, {"right", short_number(std::pow(10000, -2 / width))}}, {});
    // At every line that speaks of 10000 at once: sin and cos may have one each.
    for (const std::string_view twice : {"2 * ", "2*", " * 2", "*2"}) {
      LineEdits edits;
      for (std::uint32_t number = 0; number < flow.trace().sources.size(); ++number) {
        const std::string& code = flow.trace().sources[number].text;
        for (std::size_t at = code.find("10000"); at != std::string::npos; at = code.find("10000", at + 1)) {
          const std::size_t line = code.rfind('\n', at), begin = line == std::string::npos ? 0 : line + 1;
          const std::size_t end = std::min(code.find('\n', at), code.size()), place = code.find(twice, begin);
          if (place >= end) continue;
          edits.push_back(
              {{number, static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(place + twice.size())}, ""});
        }
      }
      if (!edits.empty()) finding.tries.push_back(std::move(edits));
    }
    return finding;
  }
  return std::nullopt;
}

/// words(ids) + positions(ids): the place of a word is not looked up.
std::optional<Finding> positions_of_the_ids(const Flow& flow, const Op& op) {
  if (plain_name(op) != "add" || op.inputs.size() != 2) return std::nullopt;
  const Op *words = flow.maker(op.inputs[0].value), *positions = flow.maker(op.inputs[1].value);
  const auto is_table = [](const Op* maker) {
    return maker && plain_name(*maker) == "embedding" && maker->inputs.size() > 1;
  };
  if (!is_table(words) || !is_table(positions) || words->inputs[0].value != positions->inputs[0].value ||
      words->inputs[1].value == positions->inputs[1].value)
    return std::nullopt;
  const std::string& ids = positions->inputs[0].written;
  Finding finding = found(flow, "places", *positions, {}, {});
  if (const auto arguments = arguments_of(flow, *positions); arguments.size() == 1 && !ids.empty())
    finding.tries.push_back({{arguments[0], "torch.arange(" + ids + ".size(-1))"}});
  return finding;
}

/// Whether a value holds rows of a table of positions: cut from one, or looked up by an arange().
bool are_positions(const Flow& flow, ValueId rows) {
  const RecordedValue& value = flow.value(rows);
  const auto lengths = std::count_if(value.shape.begin(), value.shape.end(), [](auto size) { return size > 1; });
  const Op* cut = flow.maker(unmoved(flow, rows));
  const bool is_cut = cut && (plain_name(*cut) == "index" || plain_name(*cut) == "narrow") &&
                      flow.is_kept(unmoved(flow, cut->inputs[0].value));
  return lengths == 2 && (is_cut || ids_of_lookup(flow, rows) || second_row_of_waves(value));
}

/// Whether two values are the same rows of the same table, even if each was looked up or computed anew.
bool are_same_rows(const Flow& flow, ValueId left, ValueId right) {
  const RecordedValue &a = flow.value(left), &b = flow.value(right);
  if (a.shape != b.shape || !has_few_numbers(a) || !has_few_numbers(b)) return false;
  const auto table = [&](ValueId rows) {
    return flow.value(ids_of_lookup(flow, rows) ? flow.maker(unmoved(flow, rows))->inputs.back().value : rows).storage;
  };
  return (table(left) == table(right) || second_row_of_waves(a)) && to_doubles(a.tensor) == to_doubles(b.tensor);
}

/// x + pe, and the same pe again, with nothing between the two but a dropout or a factor.
std::optional<Finding> positions_added_again(const Flow& flow, const Op& op) {
  if (plain_name(op) != "add" || op.inputs.size() != 2 || !are_positions(flow, op.inputs[1].value)) return std::nullopt;
  const Op* before = flow.maker(op.inputs[0].value);
  while (before && !before->inputs.empty() &&
         (plain_name(*before) == "dropout" || is_move(*before) ||
          (plain_name(*before) == "mul" && before->inputs.size() == 1)))
    before = flow.maker(before->inputs[0].value);
  if (!before || plain_name(*before) != "add" || before->inputs.size() != 2 ||
      !are_same_rows(flow, before->inputs[1].value, op.inputs[1].value))
    return std::nullopt;
  Finding finding = found(flow, "doubled", op, {}, {});
  if (before->span != op.span && !op.inputs[0].written.empty())
    finding.tries.push_back({{op.span, op.inputs[0].written}});
  return finding;
}

/// p[:, 0::2] = sin, and then p[:, 0::2] = cos: what was written first is gone before anybody read it.
std::optional<Finding> written_over(const Flow& flow, const Op& op) {
  const auto items = attribute(op, "items");
  if (plain_name(op) != "index_put" || !items || items->find("slice(") == std::string_view::npos) return std::nullopt;
  const Op* first = flow.maker(op.inputs[0].value);
  if (!first || plain_name(*first) != "index_put" || first->span == op.span || attribute(*first, "items") != items ||
      first->inputs[0].written != op.inputs[0].written || flow.users(op.inputs[0].value).size() != 1)
    return std::nullopt;
  const std::string code(code_of(flow, op));
  Finding finding = found(flow, "over", op, {{"place", code}}, {});
  for (const char* even : {"0::2", "::2"})
    if (code.find(even) != std::string::npos) finding.tries.push_back({{op.span, replaced(code, even, "1::2")}});
  return finding;
}

/// Whether a bias of [heads, queries, keys], or of [heads, 1, keys], grows with each word that a key is further back,
/// by the same number each time; `sign` -1: it is subtracted.
bool grows_with_distance(const RecordedValue& bias, std::size_t length, double sign) {
  if (!has_few_numbers(bias) || bias.is_parameter || bias.requires_grad || bias.shape.size() < 2 || length < 3)
    return false;
  const auto keys = static_cast<std::size_t>(bias.shape.back()),
             rows = static_cast<std::size_t>(*(bias.shape.end() - 2));
  if (keys != length || (rows != length && rows != 1)) return false;
  const std::vector<double> numbers = to_doubles(bias.tensor);
  for (std::size_t first = 0; first < numbers.size(); first += rows * keys) {
    const auto at = [&](std::size_t i, std::size_t j) { return numbers[first + (rows == 1 ? 0 : i * keys) + j]; };
    const double step = sign * (at(1, 0) - at(1, 1));
    if (!(step > 1e-9) || !std::isfinite(step)) return false;
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (!(std::fabs(sign * (at(i, j) - at(i, i)) - step * static_cast<double>(i - j)) <= 1e-3 * step)) return false;
  }
  return true;
}

/// slopes * distance, added to the scores: ALiBi subtracts it, so that words further back count less.
std::optional<Finding> bias_that_grows(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  const Shape& shape = flow.value(op.outputs[0]).shape;
  if (shape.size() < 2 || *axis + 1 != shape.size() || shape[*axis] != shape[*axis - 1]) return std::nullopt;
  for (const Op* step : scores->way) {
    const bool is_less = plain_name(*step) == "sub";
    const ValueId bias = is_less ? input_named(*step, "other") : plain_name(*step) == "add" ? mask_of(flow, *step) : -1;
    if (bias < 0 || flow.is_drawn(bias) ||
        !grows_with_distance(flow.value(bias), static_cast<std::size_t>(shape[*axis]), is_less ? -1 : 1))
      continue;
    Finding finding = found(flow, "grown", *step, {}, {});
    const std::string code(code_of(flow, *step)), &written = step->inputs.back().written;
    const std::string sign = is_less ? "-" : "+", other = is_less ? "+" : "-";
    for (const std::string& equals : {std::string(" "), std::string("= ")})
      if (!written.empty() && step->inputs.back().value == bias && code.ends_with(sign + equals + written))
        finding.tries.push_back({{step->span, code.substr(0, code.size() - written.size() - equals.size() - 1) + other +
                                                  equals + written}});
    return finding;
  }
  return std::nullopt;
}

}  // namespace

Rules position_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = positions_of_the_batch}, {.at_op = positions_with_another_exponent}, {.at_op = written_over},
      {.at_op = positions_of_the_ids},   {.at_op = positions_added_again},           {.at_op = bias_that_grows},
  };
  return kRows;
}

}  // namespace attn
