// What a touched value moved: a tensor under the other, each with its slices in words.
#include <algorithm>

#include "base/number.h"
#include "base/text.h"
#include "explain/cut_rows.h"
#include "explain/failure.h"
#include "explain/run_difference.h"
#include "explain/training.h"
#include "render/axes.h"
#include "render/page.h"
#include "render/run_difference.h"
#include "render/text.h"
#include "text/say.h"

namespace attn {
namespace {

Line step_label(int step) { return Line(std::to_string(step), Style::Dim).pad_left(4).add("  "); }

/// What stands from the touched value on; that one comes first, unless its step is hidden.
struct Later {
  std::vector<ValueChange> values;
  bool has_touched = false;
  std::int64_t inside = 0;  // tensors of other calls of functions, which are left out
};

bool is_noise(const Trace& before, const Trace& after, const ValueChange& value) {
  if (value.is_tensor || value.change == Change::Same) return false;
  // A list of tensors that are told of by themselves.
  const bool is_there = value.after_value >= 0;
  const ValueId id = is_there ? value.after_value : value.before_value;
  return (is_there ? after : before).value(id).text.find("tensor(") != std::string::npos;
}

int activation_of(const Trace& before, const Trace& after, const ValueChange& value) {
  const bool was_there = value.before >= 0;
  return (was_there ? before : after).step(was_there ? value.before : value.after).activation;
}

Later later_of(const Trace& before, const Trace& after, const Touch& touch) {
  const auto step =
      std::find_if(before.steps.begin(), before.steps.end(), [&](const Step& s) { return s.id == touch.step; });
  const auto first = static_cast<StepId>(step - before.steps.begin());
  const auto is_touched = [&](const ValueChange& value) { return value.before == first && value.name == touch.name; };
  Later later;
  for (const ValueChange& value : run_difference(before, after).values) {
    later.has_touched = later.has_touched || is_touched(value);
    const bool is_later = later.has_touched || value.before > first || (value.before < 0 && value.after > first);
    if (!is_later || is_noise(before, after, value)) continue;
    const int activation = activation_of(before, after, value);
    if (activation == 0 || activation == step->activation) later.values.push_back(value);
    else later.inside += value.is_tensor;
  }
  return later;
}

class View {
 public:
  View(const Trace& before, const Trace& after, Page& page) : before_(before), after_(after), page_(page) {}

  void put(const std::vector<ValueChange>& values) {
    for (const ValueChange& value : values) {
      const bool is_short = value.change == Change::Same || value.change == Change::Missing;
      if (!is_short) put_moved(value);
      else if (value.is_tensor) note(value);
    }
    put_noted();
  }

 private:
  void put_moved(const ValueChange& value) {
    put_noted();
    const Page::Indent indent = page_.indent(step_label(value.step), blanks(6));
    const bool is_there = value.after_value >= 0;
    const RecordedValue& recorded =
        (is_there ? after_ : before_).value(is_there ? value.after_value : value.before_value);
    if (value.is_tensor && value.change != Change::OtherShape) {
      put_axes(page_, Line(value.name, Style::Name).add(" "), axes_text(recorded), Line());
    } else {
      page_.put(value.name, Style::Name);
    }
    for (const std::string& line : change_text(before_, after_, value)) page_.put(Line(line), 2);
    if (!is_there || !recorded.is_tensor) return;
    if (const std::string row = cut_row_text(after_, value.after_value, {}); !row.empty()) page_.put(Line(row), 2);
  }

  /// Of those that did not move, and of those that the run did not come to, the names share a line.
  void note(const ValueChange& value) {
    if (!noted_.empty() && value.change != noted_change_) put_noted();
    if (noted_.empty()) noted_step_ = value.step;
    noted_change_ = value.change;
    const std::string name = visible(value.name);
    if (std::find(noted_.begin(), noted_.end(), name) == noted_.end()) noted_.push_back(name);
  }
  void put_noted() {
    if (noted_.empty()) return;
    const Page::Indent indent = page_.indent(step_label(noted_step_), blanks(6));
    const char* id = noted_change_ == Change::Same ? "moved.same.list" : "moved.missing.list";
    page_.put(Line(say(id, {{"names", join(noted_, ", ")}}), Style::Dim), 2);
    noted_.clear();
  }

  const Trace& before_;
  const Trace& after_;
  Page& page_;
  std::vector<std::string> noted_;
  Change noted_change_ = Change::Same;
  int noted_step_ = 0;
};

/// What became of the loss, beside what its gradient had said.
void put_foretold(Page& page, const Foretold& told) {
  const auto short_number = [](double value) { return format_general(value, 4); };
  page.put(say("touch.loss", {{"loss", visible(told.loss)},
                              {"before", format_general(told.before, 7)},
                              {"after", format_general(told.after, 7)},
                              {"change", short_number(told.after - told.before)}}));
  const std::string foretold = short_number(told.foretold);
  page.put(told.count == 1 ? say("touch.gradient", {{"gradient", short_number(told.gradient)},
                                                    {"change", short_number(told.change)},
                                                    {"foretold", foretold}})
                           : say("touch.gradients", {{"foretold", foretold}, {"count", std::to_string(told.count)}}));
}

void put_summary(Page& page, const Later& later) {
  std::int64_t count = 0, moved = 0;
  for (std::size_t i = later.has_touched ? 1 : 0; i < later.values.size(); ++i) {
    const Change change = later.values[i].change;
    if (!later.values[i].is_tensor || change == Change::Missing || change == Change::New) continue;
    ++count;
    moved += change != Change::Same;
  }
  if (count == 0) return;
  const char* id = moved == 0 ? "touch.summary.none" : moved == count ? "touch.summary.all" : "touch.summary";
  page.put(say_count(id, count, {{"moved", std::to_string(moved)}}));
}

}  // namespace

std::string render_touched(const Trace& before, const Trace& after, const RenderOptions& options) {
  Page page(options);
  const Touch& touch = after.options.touch.value();
  const Later later = later_of(before, after, touch);
  page.put(say("touch.title", {{"title", title_text(before)}}), Style::Title);
  page.gap();
  const std::string step = later.has_touched ? std::to_string(later.values.front().step) : "";
  page.put(say(later.has_touched ? "touch.made" : "touch.made.hidden", {{"step", step}, {"name", touch.name}}));
  {
    const Page::Indent indent = page.indent(2);
    page.put(touch.code, Style::Code);
  }
  page.gap();
  page.put(say("touch.legend"), Style::Dim);
  page.gap();
  View(before, after, page).put(later.values);
  page.gap();
  if (const auto told = foretold_change(before, after)) put_foretold(page, *told);
  put_summary(page, later);
  if (later.inside > 0) page.put(say_count("touch.inside", later.inside), Style::Dim);
  const bool was_stopped = after.outcome == RunOutcome::Interrupted && after.options.stops_at >= 0;
  if (was_stopped) page.put(say("touch.stopped"), Style::Dim);
  else if (const auto failure = failure_of(after)) page.put(failure_text(*failure, "touch.failed", ""), Style::Alarm);
  return page.text();
}

}  // namespace attn
