// One way to describe a level per element rule (torch/op.h), which share the history of values and the builder of
// levels; hence its length. What no rule covers is said as unknown.
#include "explain/element.h"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "explain/element_formula_text.h"
#include "explain/element_source.h"
#include "explain/value_history.h"
#include "tensor/core/read.h"
#include "text/say.h"

namespace attn {
namespace {

/// Several of its elements are one in memory.
bool is_stretched(const RecordedValue& value) {
  for (std::size_t d = 0; d < value.shape.size(); ++d)
    if (value.strides[d] == 0 && value.shape[d] > 1) return true;
  return false;
}

}  // namespace

class Explainer {
 public:
  Explainer(const Trace& trace, const ExplainOptions& options)
      : options_(options), history_(trace), sources_(history_) {}

  Explanation explain(ValueId value, Shape index, int depth) {
    Explanation level = one_level(value, std::move(index));
    for (OperandElement& operand : level.operands) see_through(operand);
    ++levels_;
    enter(level, depth);
    return level;
  }

 private:
  const RecordedValue& record(ValueId id) const { return history_.value(id); }

  // ---- levels below ----

  // Where an element only moved costs no depth: the way down to where it was computed is one line each.
  void enter(Explanation& level, int depth) {
    const bool is_move = level.fact == ElementFact::Moved;
    if (depth == 0 && !is_move) {
      level.is_cut = std::any_of(level.operands.begin(), level.operands.end(),
                                 [](const OperandElement& operand) { return operand.value >= 0; });
      return;
    }
    const std::vector<int> terms = terms_of(level);
    for (std::size_t k = 0; k < level.operands.size(); ++k) {
      const OperandElement& operand = level.operands[k];
      const bool is_asked_for = options_.terms < 0 || terms[k] < options_.terms;
      if (operand.value < 0 || seen_.contains({operand.value, operand.index})) continue;
      if (!is_asked_for || levels_ >= options_.most_levels) {
        level.is_cut = true;
        continue;
      }
      seen_.insert({operand.value, operand.index});
      level.inner.push_back(explain(operand.value, operand.index, is_move || depth < 0 ? depth : depth - 1));
      level.inner.back().of_operand = static_cast<int>(k);
    }
  }

  // Of each operand the term in which it first stands; -1: in none.
  static std::vector<int> terms_of(const Explanation& level) {
    std::vector<int> terms(level.operands.size(), -2);
    for (const ExpressionPiece& piece : level.expression) {
      if (piece.operand < 0) continue;
      int& term = terms[static_cast<std::size_t>(piece.operand)];
      if (term == -2 || piece.term < term) term = piece.term;
    }
    return terms;
  }

  // Inside of a composite the elements that only moved are shown where they stood outside: a linear layer multiplies
  // by weight[4, 0], not by an element of its transpose that has no name.
  void see_through(OperandElement& operand) {
    while (operand.value >= 0) {
      const Producer& producer = history_.producer(operand.value);
      if (producer.op < 0 || history_.op(producer.op).parent < 0) return;
      const Op& op = history_.op(producer.op);
      const OpInfo* info = find_op(op.spelling);
      if (!info || info->element != ElementRule::IndexMap) return;
      bool is_known = false;
      const auto taken = sources_.source_of(producer.op, producer.output, operand.index, {}, is_known);
      if (!taken) return;
      operand.value = op.inputs[taken->input].value;
      operand.index = taken->index;
      operand.name = history_.name(operand.value);
    }
  }

  // ---- one level ----

  Explanation one_level(ValueId value, Shape index) {
    Explanation level;
    level.value = value;
    level.name = history_.name(value);
    level.index = std::move(index);
    const RecordedValue& own = record(value);
    if (!own.tensor.defined()) {
      level.fact = ElementFact::Unknown;
      level.note = say("element.not_kept");
      return level;
    }
    level.number = to_double(element_at(own.tensor, level.index));
    level.digits = element_digits(own, level.index);
    LevelBuilder builder(history_, level);
    const Producer& producer = history_.producer(value);
    if (producer.op < 0) {
      describe_unmade(level, builder);
    } else {
      level.op = producer.op;
      const Op& op = history_.op(producer.op);
      level.op_name = op.name;
      level.span = op.span;
      try {
        describe_made(op, producer.output, level, builder);
      } catch (const std::out_of_range&) {  // operands that do not fit the op
        level.operands.clear();
        level.expression.clear();
        LevelBuilder anew(history_, level);
        describe_result(op, level, anew);
      }
    }
    return level;
  }

  // No op made the value: it is a name or a view of numbers that stand in an older record, or it was there first.
  void describe_unmade(Explanation& level, LevelBuilder& builder) {
    level.rule = ElementRule::Source;
    const std::optional<ElementPlace> older = history_.older_record(level.value, level.index);
    const bool was_rewritten =
        older && element_digits(record(older->value), older->index) != level.digits;  // by no recorded op
    if (older && !was_rewritten && !record(level.value).is_parameter) {
      level.rule = ElementRule::IndexMap;
      level.fact = ElementFact::Moved;
      builder.digits(builder.operand(older->value, older->index, ""));
      return;
    }
    level.fact = record(level.value).is_parameter ? ElementFact::Parameter : ElementFact::Written;
    level.note = say(record(level.value).is_parameter ? "element.parameter"
                     : was_rewritten                  ? "element.rewritten"
                                                      : "element.given");
    builder.text(level.digits);
  }

  void describe_made(const Op& op, std::size_t output, Explanation& level, LevelBuilder& builder) {
    const OpInfo* info = find_op(op.spelling);
    builder.set_double(std::any_of(op.inputs.begin(), op.inputs.end(), [&](const OpOperand& input) {
      return record(input.value).dtype == DType::Float64;
    }));
    level.rule = info ? info->element : ElementRule::Composite;
    const std::string_view formula = info ? formula_of_output(info->formula, output) : std::string_view();
    const bool is_further_output = formula.empty() && output > 0 && info && !info->formula.empty();
    const ElementParts parts = info ? parts_for(op, info->parts) : ElementParts();
    if (parts.how == Part::Added || parts.how == Part::Multiplied)
      return describe_parts(op, output, parts, level, builder);
    if (parts.how == Part::Moved) return describe_moved(op, output, parts.of, level, builder);
    const bool is_unknown = parts.how == Part::UnknownWith && output == 0;
    if (is_further_output || is_unknown) return describe_result(op, level, builder);
    const bool may_be_written_elsewhere = op.in_place && is_stretched(record(level.value));
    if (may_be_written_elsewhere) return describe_moved(op, output, {}, level, builder);
    if (!formula.empty() && fill_formula(history_, formula, output, level, builder))
      return describe_computed(op, level);
    switch (level.rule) {
      case ElementRule::Pointwise: return fill_call(history_, false, output, level, builder);
      case ElementRule::Reduce: return fill_call(history_, true, output, level, builder);
      case ElementRule::Contract: return describe_product(op, level, builder);
      case ElementRule::IndexMap:
      case ElementRule::Gather:
      case ElementRule::Concat: return describe_moved(op, output, {}, level, builder);
      default: return describe_result(op, level, builder);
    }
  }

  // Those of this call, whose arguments may decide.
  static ElementParts parts_for(const Op& op, const ElementParts& parts) {
    if (parts.how != Part::ByReduce && parts.how != Part::UnknownWith) return parts;
    const bool by_reduce = parts.how == Part::ByReduce;
    const auto given = std::find_if(op.attributes.begin(), op.attributes.end(), [&](const auto& attribute) {
      return attribute.first == (by_reduce ? "reduce" : parts.of);
    });
    if (!by_reduce) return given == op.attributes.end() ? ElementParts() : parts;
    if (given == op.attributes.end() || !find_operand(op, parts.of)) return {Part::Moved};
    if (given->second == "'add'") return {Part::Added, parts.of};
    return given->second == "'multiply'" ? ElementParts{Part::Multiplied, parts.of} : ElementParts{Part::Moved};
  }

  // ---- by formula ----

  void describe_computed(const Op& op, Explanation& level) {
    if (level.rule == ElementRule::Source) level.fact = ElementFact::Written;
    if (level.rule == ElementRule::Random) {
      level.fact = level.number == 0 ? ElementFact::Dropped : ElementFact::Kept;
      level.note = say(level.number == 0 ? "element.dropped" : "element.kept");
    }
    const auto chooser = std::find_if(level.operands.begin(), level.operands.end(), [](const OperandElement& operand) {
      return operand.parameter == "mask" || operand.parameter == "condition";
    });
    if (chooser == level.operands.end()) return;
    level.fact = ElementFact::Chosen;
    const bool is_true = chooser->number != 0;
    const bool is_mask = chooser->parameter == "mask";
    const OpArgument* value = find_argument(op, "value");
    const std::string number = value ? argument_digits(*value) : "";
    const Words words{{"value", number.empty() ? level.digits : number}, {"reason", reason(*chooser)}};
    level.note = say(is_mask   ? is_true ? "element.masked" : "element.unmasked"
                     : is_true ? "element.where.true"
                               : "element.where.false",
                     words);
  }

  // "mask[0, 3] == 0", of a comparison; else "pad[0, 3] is True".
  std::string reason(const OperandElement& chooser) {
    const Explanation level = one_level(chooser.value, chooser.index);
    const std::string place = history_.place_text(chooser.value, chooser.index);
    const bool is_comparison = level.rule == ElementRule::Pointwise && level.op >= 0 && level.operands.size() <= 2 &&
                               !level.operands.empty() && level.expression.size() <= 4;
    if (!is_comparison || chooser.number == 0) return say("element.is", {{"place", place}, {"digits", chooser.digits}});
    std::string text;
    for (const ExpressionPiece& piece : level.expression) {
      if (piece.operand < 0) {
        text += piece.text;
        continue;
      }
      const OperandElement& operand = level.operands[static_cast<std::size_t>(piece.operand)];
      text += history_.place_text(operand.value, operand.index);
    }
    return text;
  }

  // ---- by the source of each element ----

  void describe_moved(const Op& op, std::size_t output, std::string_view only, Explanation& level,
                      LevelBuilder& builder) {
    bool is_known = false;
    const auto taken = sources_.source_of(level.op, output, level.index, only, is_known);
    if (!is_known) return describe_result(op, level, builder);
    if (!taken) {
      level.fact = ElementFact::Filled;
      level.note = say("element.filled", {{"op", op.name}});
      builder.text(level.digits);
      return;
    }
    level.fact = ElementFact::Moved;
    const OpOperand& input = op.inputs[taken->input];
    builder.digits(builder.operand(input.value, taken->index, input.parameter));
    if (level.rule == ElementRule::Concat && op.inputs.size() > 1) {
      level.note = say("element.part",
                       {{"number", std::to_string(taken->input + 1)}, {"count", std::to_string(op.inputs.size())}});
    }
    for (const OpOperand& chooser : op.inputs) add_chooser(chooser, only, level, builder);
  }

  // The number that chose the element, where its place is plain: the index has the result's axes, or the first of them.
  void add_chooser(const OpOperand& chooser, std::string_view only, Explanation& level, LevelBuilder& builder) {
    const bool chooses = only.empty() ? ElementSources::is_chooser(chooser.parameter) : chooser.parameter != only;
    const RecordedValue& value = record(chooser.value);
    if (!chooses || value.dtype != DType::Int64 || !value.tensor.defined()) return;
    const Shape& shape = record(level.value).shape;
    if (value.shape.size() > shape.size() || !std::equal(value.shape.begin(), value.shape.end(), shape.begin())) return;
    Shape index = level.index;
    index.resize(value.shape.size());
    const OperandElement& id = builder.operand_at(builder.operand(chooser.value, index, chooser.parameter));
    level.note = say("element.row", {{"place", history_.place_text(id.value, id.index)}, {"digits", id.digits}});
  }

  // ---- sums ----

  void describe_product(const Op& op, Explanation& level, LevelBuilder& builder) {
    if (op.inputs.size() < 2) return describe_result(op, level, builder);
    const OpOperand &left = op.inputs[0], &right = op.inputs[1];
    const Shape &a = record(left.value).shape, &b = record(right.value).shape;
    if (a.empty() || b.empty() || level.index.size() < std::size_t{a.size() > 1} + std::size_t{b.size() > 1})
      return describe_result(op, level, builder);
    Shape batch = level.index, i, j;
    if (b.size() > 1) {
      j = {batch.back()};
      batch.pop_back();
    }
    if (a.size() > 1) {
      i = {batch.back()};
      batch.pop_back();
    }
    const auto place = [&](const Shape& shape, std::size_t inner, const Shape& before, const Shape& after,
                           std::int64_t k) {
      Shape index = broadcast_index({shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(inner)}, batch);
      index.insert(index.end(), before.begin(), before.end());
      index.push_back(k);
      index.insert(index.end(), after.begin(), after.end());
      return index;
    };
    const std::int64_t count = a.back();
    for (std::int64_t k = 0; k < count; ++k) {
      builder.set_term(static_cast<int>(k));
      if (k > 0) builder.text(" + ");
      builder.digits(builder.operand(left.value, place(a, a.size() > 1 ? 2 : 1, i, {}, k), left.parameter));
      builder.text(" * ");
      builder.digits(builder.operand(right.value, place(b, b.size() > 1 ? 2 : 1, {}, j, k), right.parameter));
    }
    builder.set_term(-1);
    if (count == 0) builder.text("0");
    level.terms = static_cast<int>(count);
  }

  void describe_parts(const Op& op, std::size_t output, const ElementParts& parts, Explanation& level,
                      LevelBuilder& builder) {
    const bool multiplies = parts.how == Part::Multiplied, is_sum = parts.of == "input";
    const OpArgument* factor = find_argument(op, parts.factor);
    const std::string times = factor ? argument_digits(*factor) : "";
    const char* sign = multiplies ? " * " : " + ";
    if (!is_sum) builder.digits(builder.operand(op.inputs.at(0).value, level.index, op.inputs[0].parameter));
    int term = 0;
    for (const TakenElement& part :
         sources_.parts_of(level.op, output, level.index, parts.of, is_sum ? "" : "input", multiplies)) {
      builder.set_term(term);
      if (term > 0 || !is_sum) builder.text(sign);
      if (!times.empty() && times != "1") {
        builder.number(times);
        builder.text(" * ");
      }
      const OpOperand& input = op.inputs[part.input];
      builder.digits(builder.operand(input.value, part.index, input.parameter));
      ++term;
    }
    builder.set_term(-1);
    if (term == 0 && is_sum) builder.text("0");
    level.terms = term;
  }

  // ---- numbers that follow from no others ----

  void describe_result(const Op& op, Explanation& level, LevelBuilder& builder) {
    builder.text(level.digits);
    if (level.rule == ElementRule::Random) {
      level.fact = ElementFact::Drawn;
      level.note = drawn_text(op, level);
      return;
    }
    if (level.rule == ElementRule::Composite) {  // of a long run the steps in it may be left out
      level.fact = ElementFact::Whole;
      level.note = say("element.whole", {{"op", op.name}});
      return;
    }
    level.fact = level.rule == ElementRule::Source ? ElementFact::Written : ElementFact::Unknown;
    level.note = say(level.rule == ElementRule::Source ? "element.made" : "element.unknown", {{"op", op.name}});
  }

  std::string drawn_text(const Op& op, const Explanation& level) const {
    const RecordedValue& value = record(level.value);
    const Shape strides = contiguous_strides(value.shape);
    std::int64_t number = 1;
    for (std::size_t d = 0; d < strides.size(); ++d) number += level.index[d] * strides[d];
    Words words{{"number", std::to_string(number)}, {"count", std::to_string(numel_of(value.shape))}, {"op", op.name}};
    const OpId seeding = last_seeding(level.op);
    if (seeding < 0) return say("element.drawn", words);
    words.emplace_back("seed", history_.op(seeding).attributes[0].second);
    return say("element.drawn.seeded", words);
  }

  // The last manual_seed() with a number of its own before the op; -1: none.
  OpId last_seeding(OpId before) const {
    if (!seedings_) {
      seedings_.emplace();
      const std::vector<Op>& ops = history_.trace().ops;
      for (std::size_t id = 0; id < ops.size(); ++id)
        if (ops[id].name == "manual_seed" && !ops[id].attributes.empty()) seedings_->push_back(static_cast<OpId>(id));
    }
    const auto after = std::upper_bound(seedings_->begin(), seedings_->end(), before);
    return after == seedings_->begin() ? -1 : *std::prev(after);
  }

  const ExplainOptions& options_;
  ValueHistory history_;
  ElementSources sources_;
  mutable std::optional<std::vector<OpId>> seedings_;  // looked for when a number was drawn
  std::set<std::pair<ValueId, Shape>> seen_;
  int levels_ = 0;
};

Explanation explain_element(const Trace& trace, ValueId value, const Shape& index, const ExplainOptions& options) {
  const RecordedValue& record = trace.value(value);
  const std::string name = value_name(trace, value);
  if (!record.is_tensor) throw UserError(say("explain.no_tensor", {{"text", record.text}, {"type", record.type}}));
  if (!record.tensor.defined()) throw UserError(say("explain.not_kept", {{"name", name}}));
  return Explainer(trace, options).explain(value, checked_index(record, name, index), options.depth);
}

struct LevelExplainer::Inside {
  explicit Inside(const Trace& trace) : explainer(trace, options) {}
  ExplainOptions options{0, 0, 0};  // nothing below the first level
  Explainer explainer;
};

LevelExplainer::LevelExplainer(const Trace& trace) : inside_(std::make_unique<Inside>(trace)) {}
LevelExplainer::~LevelExplainer() = default;

Explanation LevelExplainer::operator()(ValueId value, Shape index) {
  return inside_->explainer.explain(value, std::move(index), 0);
}

std::string value_name(const Trace& trace, ValueId value) { return ValueHistory(trace).name(value); }

std::string expression_text(const Explanation& level) {
  std::string text;
  for (const ExpressionPiece& piece : level.expression) text += piece.text;
  return text;
}

}  // namespace attn
