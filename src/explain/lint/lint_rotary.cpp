// Positions that rotate queries and keys: which entries are turned as a pair, by which angle; and positions that begin
// again at 0 although a cache holds the words before.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "tensor/core/read.h"

namespace attn {
namespace {

// Ops from angles, cosines or sines to the factor of x: those that repeat, cut, round or look up.
constexpr std::string_view kShaping = "cat stack repeat_interleave repeat tile expand index embedding to float type";

/// The op of that name, "cos" or "sin", that a factor was made by; null: none.
const Op* wave_behind(const Flow& flow, ValueId id, std::string_view name) {
  for (int depth = 0; depth < 12; ++depth) {
    const Op* op = flow.maker(id);
    if (!op || op->inputs.empty() || plain_name(*op) == name) return op && plain_name(*op) == name ? op : nullptr;
    if (!is_move(*op) && !has_word(kShaping, plain_name(*op))) return nullptr;
    id = plain_name(*op) == "embedding" && op->inputs.size() > 1 ? op->inputs[1].value : op->inputs[0].value;
  }
  return nullptr;
}

/// x * cos + turned * sin.
struct Rotation {
  ValueId x = -1, turned = -1, cos = -1, sin = -1;
};

/// The other factor of a product with cosines or sines.
bool split_product(const Flow& flow, ValueId product, std::string_view name, ValueId& factor, ValueId& wave) {
  const Op* op = flow.maker(product);
  if (!op || plain_name(*op) != "mul" || op->inputs.size() != 2) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    factor = op->inputs[1 - i].value;
    wave = op->inputs[i].value;
    if (wave_behind(flow, wave, name) && !wave_behind(flow, factor, name)) return true;
  }
  return false;
}

std::optional<Rotation> rotation_of(const Flow& flow, const Op& op) {
  if ((plain_name(op) != "add" && plain_name(op) != "sub") || op.inputs.size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    Rotation out;
    if (split_product(flow, op.inputs[i].value, "cos", out.x, out.cos) &&
        split_product(flow, op.inputs[1 - i].value, "sin", out.turned, out.sin) &&
        flow.value(out.x).shape == flow.value(out.turned).shape && !flow.value(out.x).shape.empty())
      return out;
  }
  return std::nullopt;
}

/// Which entry of x an entry of turned(x) is, and its sign.
struct Partner {
  std::size_t entry = 0;
  double sign = 0;
};

/// Seen in the numbers, along the last axis; empty: turned(x) has others than x, or x has some twice.
std::vector<Partner> partners_of(const RecordedValue& x, const RecordedValue& turned) {
  constexpr std::size_t kMostWidth = 1024, kRows = 4;
  const auto width = static_cast<std::size_t>(x.shape.back());
  if (!has_few_numbers(x) || !has_few_numbers(turned) || width < 2 || width % 2 != 0 || width > kMostWidth) return {};
  const std::vector<double> from = to_doubles(x.tensor), to = to_doubles(turned.tensor);
  const std::size_t numbers = std::min(from.size(), kRows * width);
  std::vector<Partner> out(width);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      for (const double sign : {1.0, -1.0}) {
        bool is_it = numbers > 0;
        for (std::size_t row = 0; row < numbers; row += width)
          is_it = is_it && to[row + i] == sign * from[row + j] && from[row + j] != 0;
        if (!is_it) continue;
        if (out[i].sign != 0) return {};
        out[i] = {j, sign};
      }
    }
    if (out[i].sign == 0) return {};
  }
  for (std::size_t i = 0; i < width; ++i)
    if (out[i].entry == i || out[out[i].entry].entry != i) return {};
  return out;
}

/// The first operand of cat((x2, x1), -1) or stack((x2, x1), -1), with a minus.
void with_minus(const Flow& flow, const Op& joined, std::vector<LineEdits>& out) {
  const std::string code(code_of(flow, joined));
  const std::size_t call = code.find_first_of("(");
  const std::size_t open = call == std::string::npos ? call : code.find_first_of("([", call + 1);
  if (open == std::string::npos || (plain_name(joined) != "cat" && plain_name(joined) != "stack")) return;
  out.push_back({{joined.span, code.substr(0, open + 1) + "-" + code.substr(open + 1)}});
}

/// The op that put each angle into two places, or did so with its cosine.
const Op* doubling_behind(const Flow& flow, ValueId id) {
  for (int depth = 0; depth < 14; ++depth) {
    const Op* op = flow.maker(id);
    if (!op || op->inputs.empty()) return nullptr;
    const std::string_view name = plain_name(*op);
    if (name == "repeat_interleave" || name == "repeat") return op;
    if (name == "cat" || name == "stack")
      return op->inputs.size() == 2 && op->inputs[0].value == op->inputs[1].value ? op : nullptr;
    if (!is_move(*op) && !has_word(kShaping, name) && name != "cos" && name != "sin") return nullptr;
    id = op->inputs[0].value;
  }
  return nullptr;
}

/// The same table with the two places of each angle side by side, or in the two halves.
void doubled_otherwise(const Flow& flow, const Rotation& rotation, bool side_by_side, std::vector<LineEdits>& out) {
  LineEdits edits;
  for (const ValueId wave : {rotation.cos, rotation.sin}) {
    const Op* doubling = doubling_behind(flow, wave);
    if (!doubling) return;
    std::string angles = doubling->inputs[0].written;
    const std::string code(code_of(flow, *doubling));
    const std::size_t call = code.rfind(".repeat");
    const bool has_name = !angles.empty();
    if (!has_name && call != std::string::npos) angles = code.substr(0, call);
    if (angles.empty()) return;
    std::string ones;
    for (std::size_t i = 1; i < flow.value(doubling->inputs[0].value).shape.size(); ++i) ones += "1, ";
    const LineEdit edit = {doubling->span, side_by_side ? angles + ".repeat_interleave(2, dim=-1)"
                                           : has_name   ? "torch.cat((" + angles + ", " + angles + "), dim=-1)"
                                                        : angles + ".repeat(" + ones + "2)"};
    if (edits.empty() || edits[0].span != edit.span) edits.push_back(edit);
  }
  out.push_back(std::move(edits));
}

/// cat((x2, x1)): without the minus, x * cos + turned * sin is no rotation.
std::optional<Finding> rotation_without_minus(const Flow& flow, const Op& op) {
  const auto rotation = rotation_of(flow, op);
  if (!rotation) return std::nullopt;
  const std::vector<Partner> partners = partners_of(flow.value(rotation->x), flow.value(rotation->turned));
  const Op* joined = flow.maker(unmoved(flow, rotation->turned));
  const bool is_mirrored = std::all_of(partners.begin(), partners.end(),
                                       [&](const Partner& each) { return each.sign == partners[each.entry].sign; });
  if (partners.empty() || !is_mirrored || !joined) return std::nullopt;
  Finding finding = found(flow, "rotation", *joined, {}, {});
  with_minus(flow, *joined, finding.tries);
  return finding;
}

/// a * u * cos + b * v * sin: one entry of each pair, with a and b 1 or -1.
struct HalfTurn {
  ValueId u = -1, v = -1;
  int a = 1, b = 1;
  const Op* op = nullptr;
};

std::optional<HalfTurn> half_turn(const Flow& flow, ValueId id) {
  const Op* op = flow.maker(unmoved(flow, id));
  if (!op || (plain_name(*op) != "add" && plain_name(*op) != "sub") || op->inputs.size() != 2) return std::nullopt;
  const int second = plain_name(*op) == "sub" ? -1 : 1;
  for (std::size_t i = 0; i < 2; ++i) {
    HalfTurn out;
    ValueId cos = -1, sin = -1;
    if (!split_product(flow, op->inputs[i].value, "cos", out.u, cos) ||
        !split_product(flow, op->inputs[1 - i].value, "sin", out.v, sin))
      continue;
    out.a = i == 0 ? 1 : second;
    out.b = i == 0 ? second : 1;
    out.op = op;
    return out;
  }
  return std::nullopt;
}

/// cat((x1 * cos + x2 * sin, x2 * cos + x1 * sin)): of the four signs, one has to be another.
std::optional<Finding> rotation_of_equal_signs(const Flow& flow, const Op& op) {
  if ((plain_name(op) != "cat" && plain_name(op) != "stack") || op.inputs.size() != 2) return std::nullopt;
  const auto first = half_turn(flow, op.inputs[0].value), second = half_turn(flow, op.inputs[1].value);
  if (!first || !second || first->u != second->v || first->v != second->u || first->u == first->v ||
      first->a * second->b != first->b * second->a)
    return std::nullopt;
  Finding finding = found(flow, "rotation", *first->op, {}, {}, ".signs");
  const std::string code(code_of(flow, *first->op));
  for (const auto& [sign, other] : {std::pair{" + ", " - "}, std::pair{" - ", " + "}})
    if (const std::size_t at = code.find(sign); at != std::string::npos && code.find(sign, at + 1) == std::string::npos)
      finding.tries.push_back({{first->op->span, replaced(code, sign, other)}});
  return finding;
}

/// Entries 0 and 1 are turned as a pair, and the table has one angle for the entries 0 and d / 2; or the other way
/// round.
std::optional<Finding> rotation_by_other_angles(const Flow& flow, const Op& op) {
  const auto rotation = rotation_of(flow, op);
  if (!rotation || !has_few_numbers(flow.value(rotation->cos))) return std::nullopt;
  const RecordedValue& cos = flow.value(rotation->cos);
  const std::vector<Partner> partners = partners_of(flow.value(rotation->x), flow.value(rotation->turned));
  const std::size_t width = partners.size();
  if (width < 4 || cos.shape.empty() || cos.shape.back() != static_cast<std::int64_t>(width)) return std::nullopt;
  const std::vector<double> numbers = to_doubles(cos.tensor);
  const auto is_one_angle = [&](std::size_t i, std::size_t j) {
    for (std::size_t row = 0; row + width <= numbers.size(); row += width)
      if (std::fabs(numbers[row + i] - numbers[row + j]) > 1e-6) return false;
    return true;
  };
  const std::size_t partner = partners[0].entry;
  std::size_t twin = 1;
  while (twin < width && !is_one_angle(0, twin)) ++twin;
  if (twin == width || is_one_angle(0, partner)) return std::nullopt;
  const bool side_by_side = partner == 1;
  const std::string right =
      side_by_side ? "angles.repeat_interleave(2, dim=-1)" : "torch.cat((angles, angles), dim=-1)";
  Finding finding = found(flow, "rotation", op, {{"partner", std::to_string(partner)}, {"twin", std::to_string(twin)}},
                          {{"right", right}}, ".angles");
  doubled_otherwise(flow, *rotation, side_by_side, finding.tries);
  return finding;
}

/// What gave a value its position, and whether that was position 0 for its only word.
struct Placed {
  const Op* op = nullptr;
  const Op* cut = nullptr;  // of the table, or the arange() that it was asked for
  bool is_first = false;
};

bool is_first_row(const Flow& flow, const Op* cut) {
  if (!cut) return false;
  if (plain_name(*cut) == "arange") {
    const RecordedValue& ids = flow.value(cut->outputs[0]);
    return has_few_numbers(ids) && ids.tensor.numel() == 1 && to_doubles(ids.tensor)[0] == 0;
  }
  for (const Op* op = cut; op && plain_name(*op) == "index"; op = flow.maker(op->inputs[0].value)) {
    const auto items = attribute(*op, "items");
    if (!items || start_of_cut(*items).value_or(0) != 0) return false;
  }
  return plain_name(*cut) == "index";
}

/// pe[:T], or positions(arange(T)).
const Op* cut_of_table(const Flow& flow, ValueId rows) {
  const Op* op = flow.maker(rows);
  for (int depth = 0; op && depth < 6 && !op->inputs.empty(); ++depth) {
    const std::string_view name = plain_name(*op);
    if (name == "embedding" && op->inputs.size() > 1) {
      const Op* ids = flow.maker(unmoved(flow, op->inputs[0].value));
      return ids && plain_name(*ids) == "arange" ? ids : nullptr;
    }
    const auto items = attribute(*op, "items");
    if (name == "index" && items && start_of_cut(*items)) return op;
    if (!is_move(*op) && name != "index" && name != "to") return nullptr;
    op = flow.maker(op->inputs[0].value);
  }
  return nullptr;
}

Placed placed_by(const Flow& flow, ValueId id, int depth = 16) {
  constexpr std::string_view kPassed = "linear layer_norm rms_norm dropout add mul div index to float type chunk split";
  const Op* op = flow.maker(id);
  if (!op || depth == 0 || op->inputs.empty()) return {};
  if (const auto rotation = rotation_of(flow, *op)) {
    const RecordedValue& cos = flow.value(rotation->cos);
    const std::vector<double> numbers = has_few_numbers(cos) ? to_doubles(cos.tensor) : std::vector<double>();
    const bool is_still =
        !numbers.empty() && std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 1; });
    return {op, cut_of_table(flow, rotation->cos), is_still};
  }
  if (plain_name(*op) == "add" && op->inputs.size() == 2) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Op* cut = cut_of_table(flow, op->inputs[i].value);
      const Op* words = flow.maker(op->inputs[1 - i].value);
      if (cut && words &&
          (plain_name(*words) == "embedding" || plain_name(*words) == "mul" || plain_name(*words) == "dropout"))
        return {op, cut, is_first_row(flow, cut)};
    }
  }
  if (!is_move(*op) && !has_word(kPassed, plain_name(*op))) return {};
  return placed_by(flow, op->inputs[0].value, depth - 1);
}

/// The code of the first entry of cat([cache, k], dim): "cache".
std::string first_joined(const Flow& flow, const Op& joined) {
  const std::string code(code_of(flow, joined));
  const std::size_t call = code.find('('), open = call == std::string::npos ? call : code.find_first_of("([", call + 1);
  if (open == std::string::npos) return {};
  const std::size_t comma = code.find(", ", open);
  return comma == std::string::npos ? std::string() : code.substr(open + 1, comma - open - 1);
}

/// arange(T) as arange(T) + past, and cos[:T] as cos[past:][:T].
void moved_on(const Flow& flow, const Op& cut, const std::string& past, LineEdits& out) {
  const std::string code(code_of(flow, cut));
  if (plain_name(cut) == "arange") {
    const std::string_view rest = std::string_view(flow.trace().sources[cut.span.source].text).substr(cut.span.end);
    const std::string sum = code + " + " + past;
    out.push_back({cut.span, rest.starts_with(')') || rest.starts_with('\n') ? sum : "(" + sum + ")"});
    return;
  }
  const std::size_t open = code.rfind('['), end = code.find_last_of(":");
  if (open == std::string::npos || end == std::string::npos || end < open || end + 1 >= code.size()) return;
  std::size_t colon = end;
  if (code[end + 1] == ']' && code.rfind(':', end - 1) != std::string::npos)
    colon = code.rfind(':', end - 1);  // [:T, :]
  if (colon > open) out.push_back({cut.span, code.substr(0, colon) + past + ":]" + code.substr(open)});
}

/// How the words in a cache are counted: "(0 if cache is None else cache[0].size(1))" of cat([cache[0], k], dim=1),
/// "pos" of ck[:, pos:pos + T] = k; "": it is not known.
std::string count_of_cached(const Flow& flow, const Op& joined) {
  if (plain_name(joined) == "index_put") {
    const std::string code(code_of(flow, joined));
    const std::size_t end = code.find(']'), colon = code.rfind(':', end), start = code.find_last_of("[,", colon);
    if (end == std::string::npos || colon == std::string::npos || start == std::string::npos) return {};
    return std::string(trim(code.substr(start + 1, colon - start - 1)));
  }
  const std::string cache = first_joined(flow, joined);
  const auto dim = attribute(joined, "dim");
  if (cache.empty() || !dim) return {};
  return "(0 if " + cache.substr(0, cache.find('[')) + " is None else " + cache + ".size(" + std::string(*dim) + "))";
}

/// What joined the keys of a cache with those of a new word that comes after words with positions: a cat(), or a write
/// into a buffer. A prefix that was learned has no positions: the first word after it is the first.
const Op* joins_placed_words(const Flow& flow, ValueId keys, const Op& softmax) {
  const Op* joined = flow.maker(unmoved(flow, keys));
  if (joined && plain_name(*joined) == "cat" && joined->inputs.size() == 2) {
    const ValueId cached = joined->inputs[0].value;
    const Op* earlier = flow.maker(unmoved(flow, cached));
    const bool is_placed = placed_by(flow, cached).op || (earlier && plain_name(*earlier) == "cat" &&
                                                          placed_by(flow, earlier->inputs.back().value).op);
    return is_placed && numel_of(flow.value(cached).shape) > 0 ? joined : nullptr;
  }
  const Op* write = write_in_call(flow, keys, softmax);
  if (!write || start_of_write(*write).value_or(0) < 1) return nullptr;
  const bool has_earlier = std::any_of(flow.ops().begin(), flow.ops().end(), [&](const Op* each) {
    return each < write && each->span == write->span && placed_by(flow, input_named(*each, "value")).op;
  });
  return has_earlier ? write : nullptr;
}

/// A new word is appended to the keys of a cache and gets position 0 again.
std::optional<Finding> position_begins_again(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  if (!scores || flow.products_with(op.outputs[0], *axis).empty()) return std::nullopt;
  const RecordedValue& value = flow.value(op.outputs[0]);
  const std::size_t dims = value.shape.size();
  if (dims < 2 || *axis + 1 != dims || value.shape[dims - 2] != 1 || value.shape.back() < 2) return std::nullopt;
  const Placed query = placed_by(flow, scores->product.left);
  const Op* joined = query.is_first ? joins_placed_words(flow, scores->product.right, op) : nullptr;
  if (!joined) return std::nullopt;
  Finding finding = found(flow, "again", *query.op, {{"count", std::to_string(value.shape.back() - 1)}}, {},
                          rotation_of(flow, *query.op) ? ".rotated" : "");
  const std::string past = count_of_cached(flow, *joined);
  if (past.empty() || !query.cut) return finding;
  LineEdits edits;
  moved_on(flow, *query.cut, past, edits);
  if (const auto rotation = rotation_of(flow, *query.op)) {
    const Op* sines = cut_of_table(flow, rotation->sin);
    if (sines && sines != query.cut) moved_on(flow, *sines, past, edits);
  }
  if (!edits.empty()) finding.tries.push_back(std::move(edits));
  return finding;
}

}  // namespace

Rules rotary_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = rotation_without_minus},
      {.at_op = rotation_of_equal_signs},
      {.at_op = rotation_by_other_angles},
      {.at_op = position_begins_again},
  };
  return kRows;
}

}  // namespace attn
