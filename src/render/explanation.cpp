#include "render/explanation.h"

#include <algorithm>

#include "base/text.h"
#include "syntax/snippet.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kMostDigitLines = 4;  // that the digits of one level take
constexpr int kLevelIndent = 2;
constexpr int kNamedTerms = 2;  // of the line with the names
constexpr int kCodeWidth = 40;

/// A learner's text of a piece of the expression: the digits, or the place they came from.
std::string piece_text(const Explanation& level, const ExpressionPiece& piece, bool names) {
  if (piece.operand < 0 || !names) return piece.text;
  const OperandElement& operand = level.operands[static_cast<std::size_t>(piece.operand)];
  return operand.index.empty() ? operand.name : operand.name + shape_text(operand.index);
}

/// The expression in parts: what stands before the terms, each term, what stands behind. Parentheses for a minus sign
/// are not wanted around names.
struct Parts {
  std::vector<std::string> before, terms, after;
};

Parts parts_of(const Explanation& level, bool names) {
  Parts parts;
  const auto& pieces = level.expression;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool opens =
        pieces[i].text == "(" && i + 2 < pieces.size() && pieces[i + 1].operand >= 0 && pieces[i + 2].text == ")";
    const bool closes = pieces[i].text == ")" && i > 1 && pieces[i - 1].operand >= 0 && pieces[i - 2].text == "(";
    if (names && (opens || closes)) continue;
    const std::string text = piece_text(level, pieces[i], names);
    if (pieces[i].term < 0) {
      (parts.terms.empty() ? parts.before : parts.after).push_back(text);
      continue;
    }
    parts.terms.resize(std::max(parts.terms.size(), static_cast<std::size_t>(pieces[i].term) + 1));
    parts.terms[static_cast<std::size_t>(pieces[i].term)] += text;
  }
  return parts;
}

int total_width(const std::vector<std::string>& texts) {
  int width = 0;
  for (const std::string& text : texts) width += display_width(text);
  return width;
}

/// As many of the first and last terms as fit into `room` cells, two at least.
std::string elided(const Parts& parts, int room, std::size_t most, std::string_view gap) {
  const std::size_t count = parts.terms.size();
  std::size_t shown = std::min(count, most);
  int width = total_width(parts.before) + total_width(parts.after) + total_width(parts.terms);
  if (width > room && count > 0) {
    const int each = std::max(1, total_width(parts.terms) / static_cast<int>(count));
    const int left = room - total_width(parts.before) - total_width(parts.after) - 20;
    shown = std::min(shown, static_cast<std::size_t>(std::max(2, left / each)));
  }
  if (most < count && count <= most + 1) shown = count;  // one more takes no more room than to say so
  const std::size_t first = (shown + 1) / 2;
  std::string text = join(parts.before, "");
  for (std::size_t k = 0; k < count; ++k) {
    if (shown < count && k >= first && k < count - (shown - first)) {
      if (k == first)
        text += " " + std::string(gap) + " " + say("explanation.more", {{"count", std::to_string(count - shown)}}) +
                " " + std::string(gap);
      continue;
    }
    text += parts.terms[k];
  }
  return text + join(parts.after, "");
}

/// The op that a gradient goes back through by this op, or by what it is a part of; -1: none.
OpId passed_by(const Trace& trace, OpId op) {
  while (op >= 0 && trace.op(op).back_through < 0) op = trace.op(op).parent;
  return op < 0 ? -1 : trace.op(op).back_through;
}

/// All lines of a backward pass are that of its call: then the line of the op that it goes through says more.
std::string line_text(const Trace& trace, const Explanation& level) {
  if (level.span.source >= trace.sources.size() || passed_by(trace, level.op) >= 0) return {};
  return std::to_string(position_of(trace.sources[level.span.source], level.span.begin).line);
}

std::string place_text(const Explanation& level) {
  return level.index.empty() ? level.name : level.name + shape_text(level.index);
}

class ExplanationWriter {
 public:
  ExplanationWriter(Page& page, const Trace& trace) : page_(page), trace_(trace) {}

  void put(const Explanation& level) {
    put_title(level);
    {
      const Page::Indent indent = page_.indent(kLevelIndent);
      put_arithmetic(level);
      if (level.fact != ElementFact::Moved) put_inner(level);
    }
    if (level.fact == ElementFact::Moved) put_inner(level);
  }

 private:
  void put_inner(const Explanation& level) {
    for (const Explanation& inner : level.inner) {
      if (inner.op < 0 && inner.operands.empty()) continue;  // a parameter: the line above has its digits
      const bool is_short = inner.expression.size() == 1 && level.inner.size() > 1;
      if (!is_short) page_.gap(level.fact == ElementFact::Moved ? 0 : 1);
      put(inner);
    }
  }

  // "energy[0, 1]  =  0.25          matmul, line 12"
  void put_title(const Explanation& level) {
    Line line(place_text(level), Style::Name);
    const std::string number = line_text(trace_, level);
    std::string origin;
    if (level.op >= 0) origin = op_text(trace_, level);
    if (level.op >= 0 && !number.empty()) origin = say("explanation.line", {{"op", origin}, {"line", number}});
    const int room = page_.width() - display_width(origin);
    if (origin.empty()) return page_.put(line);
    if (line.width() + 2 > room) {
      page_.put(line);
      return page_.put(origin, Style::Dim);
    }
    page_.put(line.pad_right(room).add(origin, Style::Dim));
  }

  void put_arithmetic(const Explanation& level) {
    const bool has_operands = !level.operands.empty();
    const std::string gap(page_.glyphs().gap);
    if (has_operands) put_equals(elided(parts_of(level, true), page_.width() * 2, kNamedTerms, gap));
    const bool is_number = level.expression.size() == 1;
    if (!is_number)
      put_equals(elided(parts_of(level, false), page_.width() * kMostDigitLines, std::size_t{1} << 30, gap));
    Line line;
    line.add("= ").add(level.digits, Style::Strong);
    if (!level.note.empty()) line.add("   ").add(level.note, Style::Dim);
    page_.put(line, kLevelIndent);
  }

  void put_equals(const std::string& text) { page_.put(Line("= " + text), kLevelIndent); }

  Page& page_;
  const Trace& trace_;
};

// Whether a level stands for itself because no more were asked for, or only some of its terms were followed.
bool is_cut_short(const Explanation& level) {
  return (level.is_cut && level.inner.empty()) || std::any_of(level.inner.begin(), level.inner.end(), is_cut_short);
}
bool leaves_out_terms(const Explanation& level) {
  return (level.is_cut && !level.inner.empty()) ||
         std::any_of(level.inner.begin(), level.inner.end(), leaves_out_terms);
}

// "batch_size 0, query_len 1": of the axes that have names.
std::string axes_line(const RecordedValue& value, const Shape& index) {
  std::vector<std::string> parts;
  for (std::size_t d = 0; d < index.size() && d < value.axes.size(); ++d)
    if (!value.axes[d].name.empty()) parts.push_back(value.axes[d].name + " " + std::to_string(index[d]));
  return join(parts, ", ");
}

}  // namespace

std::string op_text(const Trace& trace, const Explanation& level) {
  if (level.op < 0) return {};
  OpId top = level.op;
  while (trace.op(top).parent >= 0) top = trace.op(top).parent;
  if (top == level.op) return level.op_name;
  const OpId passed = passed_by(trace, level.op);
  if (passed >= 0 && trace.op(passed).step >= 0) {
    const Step& step = trace.step(trace.op(passed).step);
    const std::vector<StepId> shown = visible_steps(trace);
    const auto place = std::lower_bound(shown.begin(), shown.end(), trace.op(passed).step);
    const std::string code = on_one_line(trace.sources[step.header.source].slice(step.header));
    if (place != shown.end() && *place == trace.op(passed).step)
      return say("explanation.back", {{"op", level.op_name},
                                      {"composite", trace.op(top).name},
                                      {"code", elide(code, kCodeWidth)},
                                      {"step", std::to_string(place - shown.begin() + 1)}});
  }
  return say("explanation.inside", {{"op", level.op_name}, {"composite", trace.op(top).name}});
}

void put_explanation(Page& page, const Trace& trace, const Explanation& explanation) {
  ExplanationWriter(page, trace).put(explanation);
}

std::string render_explanation(const Trace& trace, const Explanation& explanation, const RenderOptions& options) {
  Page page(options);
  const RecordedValue& value = trace.value(explanation.value);
  const std::string axes = axes_line(value, explanation.index);
  if (!axes.empty()) {
    page.put(say("explanation.place", {{"place", axes}}), Style::Dim);
    page.gap();
  }
  put_explanation(page, trace, explanation);
  page.gap();
  if (leaves_out_terms(explanation)) page.put(say("explanation.terms"), Style::Dim);
  if (is_cut_short(explanation)) page.put(say("explanation.cut"), Style::Dim);
  return page.text();
}

}  // namespace attn
