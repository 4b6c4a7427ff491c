// matplotlib.pyplot, seaborn and tqdm. Nothing is drawn: what shows a tensor records it, so that its numbers stand in
// the step; everything that only dresses a figure does nothing.
#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/words.h"
#include "python/evaluator.h"
#include "python/modules/library.h"
#include "python/operators.h"
#include "python/type.h"
#include "text/say.h"
#include "torch/op.h"
#include "torch/tensor_data.h"

namespace attn {
namespace {

void record(MethodCall& call, const Value& value) {
  Value tensor;
  if (value.as<TensorObject>()) tensor = value;
  if (const Array* array = value.as<Array>()) tensor = array->tensor;
  if (tensor.is_none()) return;
  const Span span = call.given.span;
  call_named_op(call.interpreter, "op.imshow", {tensor}, {span}, span);
}

// Records the tensors among the arguments; a list of numbers becomes one.
void record_arguments(MethodCall& call, bool is_picture) {
  for (const Value& value : call.given.positional) {
    const bool is_list = is_picture && value.as<List>();
    record(call, is_list ? make_tensor(tensor_from(value)) : value);
  }
  for (const auto& [name, value] : call.given.keywords) record(call, value);
}

Value picture(MethodCall& call) {
  record_arguments(call, true);
  return make<Quiet>("AxesImage");
}
Value curve(MethodCall& call) {
  record_arguments(call, false);
  return make<Quiet>("Line2D", Value(), Shape{1});
}
Value histogram(MethodCall& call) {
  record_arguments(call, false);
  return make<Quiet>("object", Value(), Shape{3});  // counts, edges, bars
}
Value bars(MethodCall& call) {
  record_arguments(call, false);
  return make<Quiet>("BarContainer", Value(), Shape{0});
}
Value itself(MethodCall& call) { return call.self; }
Value figure(MethodCall&) { return make<Quiet>("Figure"); }
Value axes(MethodCall&) { return make<Quiet>("Axes"); }

Value subplots(MethodCall& call) {
  Shape grid;
  const auto size = [&](std::size_t place, std::string_view name) {
    std::int64_t out = 1;
    if (place < call.given.positional.size()) out = as_index(call.given.positional[place]).value_or(1);
    for (const auto& [keyword, value] : call.given.keywords)
      if (keyword == name) out = as_index(value).value_or(1);
    return out;
  };
  bool squeeze = true;
  for (const auto& [keyword, value] : call.given.keywords)
    if (keyword == "squeeze") squeeze = truthy(value);
  for (const std::int64_t count : {size(0, "nrows"), size(1, "ncols")})
    if (count > 1 || !squeeze) grid.push_back(count);
  const bool is_figure = call.self.as<Quiet>() != nullptr;  // fig.subplots() gives the axes alone
  const Value made = make<Quiet>("Axes", Value(), grid);
  return is_figure ? made : make_tuple({make<Quiet>("Figure"), made});
}

// What only dresses a figure, as functions of pyplot and as methods of axes and figures. Any other name is an object
// that can be called, looped over and handed on.
constexpr std::string_view kDressing =
    "title suptitle xlabel ylabel xlim ylim xticks yticks legend grid axis tight_layout show close savefig clf cla "
    "subplots_adjust set_cmap ion ioff draw pause sca margins box tick_params set_title set_xlabel set_ylabel set_xlim "
    "set_ylim set_xticks set_yticks set_xticklabels set_yticklabels set_aspect set_axis_off set_axis_on set "
    "invert_yaxis invert_xaxis set_facecolor set_visible set_size_inches set_tight_layout set_xscale set_yscale clear "
    "remove set_label autofmt_xdate label_outer clim rc set_major_locator set_label_position tick_top set_theme "
    "set_style set_context set_palette despine minorticks_on xscale yscale set_fontsize set_dpi";
constexpr std::string_view kPictures = "imshow matshow pcolormesh pcolor contour contourf spy heatmap";
constexpr std::string_view kCurves =
    "plot scatter errorbar fill_between step stem boxplot violinplot "
    "semilogy semilogx loglog lineplot barplot scatterplot histplot kdeplot";
constexpr std::string_view kProgress =
    "set_description set_description_str set_postfix set_postfix_str update close refresh clear reset write display";

std::vector<Method> rows_of(std::initializer_list<std::pair<std::string_view, Value (*)(MethodCall&)>> groups) {
  std::vector<Method> rows;
  for (const auto& [names, function] : groups) {
    for (std::string_view rest = names; !rest.empty();) {
      const std::size_t blank = std::min(rest.find(' '), rest.size());
      rows.push_back({rest.substr(0, blank), 0, kAnyNumber, function, "**"});
      rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
  }
  return rows;
}

std::span<const Method> plot_rows() {
  static const std::vector<Method> rows = rows_of({{kDressing, nothing},
                                                   {kPictures, picture},
                                                   {kCurves, curve},
                                                   {"hist", histogram},
                                                   {"bar barh", bars},
                                                   {"figure gcf", figure},
                                                   {"subplot axes gca add_subplot add_axes twinx twiny", axes},
                                                   {"subplots", subplots}});
  return rows;
}

std::span<const Method> progress_rows() {
  static const std::vector<Method> rows = rows_of({{kProgress, nothing}});
  return rows;
}

Value tqdm(MethodCall& call) {
  Value iterable = call.given.positional.empty() ? Value() : call.given.positional[0];
  for (const auto& [name, value] : call.given.keywords)
    if (name == "iterable") iterable = value;
  return make<Quiet>("tqdm", iterable);
}

Value trange(MethodCall& call) {
  std::vector<std::int64_t> bounds;
  for (const Value& value : call.given.positional) {
    const auto number = as_index(value);
    if (!number)
      call.fail(Code::Type, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
    bounds.push_back(*number);
  }
  if (bounds.empty() || bounds.size() > 3) call.fail(Code::Type, say("argument.trange"));
  const bool has_start = bounds.size() > 1;
  const std::int64_t step = bounds.size() > 2 ? bounds[2] : 1;
  if (step == 0) call.fail(Code::Value, "range() arg 3 must not be zero");
  return make<Quiet>("tqdm", make<Range>(has_start ? bounds[0] : 0, bounds[has_start ? 1 : 0], step));
}

constexpr Method kEntered[] = {{"__enter__", 0, 0, itself}, {"__exit__", 0, 3, nothing}};

constexpr Method kTqdm[] = {{"tqdm", 0, kAnyNumber, tqdm, "**"}, {"trange", 0, kAnyNumber, trange, "**"}};

}  // namespace

std::span<const Method> pyplot_functions() { return plot_rows(); }
std::span<const Method> seaborn_functions() { return plot_rows(); }
std::span<const Method> tqdm_functions() { return kTqdm; }

namespace {

// Of a plot on which nothing is drawn there are none: a loop through them has no rounds.
constexpr std::string_view kParts =
    "spines lines patches texts collections containers values items get_xticklabels get_yticklabels get_xticks "
    "get_yticks get_lines get_children get_texts";

bool quiet_attribute(Interpreter&, const Value& object, const std::string& name, Span, Span, Value& out) {
  const Quiet& quiet_object = *object.as<Quiet>();
  const bool is_grid = !quiet_object.grid.empty();
  if (is_grid && (name == "flat" || name == "flatten" || name == "ravel")) {
    Value row = make<Quiet>("Axes", Value(), Shape{numel_of(quiet_object.grid)});
    out = name == "flat" ? row : make<Builtin>(name, [row](Interpreter&, CallArguments&) { return row; });
    return true;
  }
  for (const Method& method : quiet_object.type == "tqdm" ? progress_rows() : plot_rows())
    if (method.name == name) return out = bound_method(method, object), true;
  if (quiet_object.type == "tqdm" || name.starts_with("__")) return false;
  return out = make<Quiet>("object", Value(), has_word(kParts, name) ? Shape{0} : Shape()), true;
}

Value quiet_item(const Quiet& object, const Value& index, Span span) {
  if (object.grid.empty() && object.type == "Axes")
    throw CellError(Code::Type, span, "'AxesSubplot' object is not subscriptable");
  if (object.grid.empty()) return make<Quiet>("object");
  const Tuple* places = index.as<Tuple>();
  const std::size_t used = places ? places->items.size() : 1;
  for (std::size_t i = 0; i < used && i < object.grid.size(); ++i) {
    const auto place = as_index(places ? places->items[i] : index);
    const bool is_outside = place && (*place >= object.grid[i] || *place < -object.grid[i]);
    if (is_outside && object.grid[i] > 0)
      throw CellError(Code::Index, span,
                      fmt::format("index {} is out of bounds for axis {} with size {}", *place, i, object.grid[i]));
  }
  const auto first = object.grid.begin() + static_cast<std::ptrdiff_t>(std::min(used, object.grid.size()));
  return make<Quiet>(object.type, Value(), Shape(first, object.grid.end()));
}

Value quiet_items(const Quiet& object, Span span) {
  if (!object.items.is_none()) return object.items;
  if (object.grid.empty()) throw CellError(Code::Type, span, fmt::format("'{}' object is not iterable", object.type));
  std::vector<Value> items;
  for (std::int64_t i = 0; i < object.grid[0]; ++i) items.push_back(quiet_item(object, Value(i), span));
  return make_list(std::move(items));
}

std::optional<Value> quiet_length(const Value& self) {
  const Value items = quiet_items(*self.as<Quiet>(), {});
  return Interpreter::current()->call(*find_builtin("len"), {items}, {});
}

}  // namespace

const Type Quiet::kType = {
    .name = "object",
    .name_of = [](const Value& self) { return self.as<Quiet>()->type; },
    .stands_in = true,
    .truthy = [](const Value&) { return true; },
    .length = quiet_length,
    .each = [](Interpreter& interpreter, const Value& self, Span span,
               const Visit& visit) { interpreter.for_each(quiet_items(*self.as<Quiet>(), span), span, visit); },
    .attribute = quiet_attribute,
    .set_attribute = [](Interpreter&, const Value&, const std::string&, const Value&, Span) { return true; },  // total
    .methods = [](const Value&) { return std::span<const Method>(kEntered); },
    .get_item = [](Interpreter&, const Value& self, const Value& index,
                   const OperatorSpans& spans) { return quiet_item(*self.as<Quiet>(), index, spans.whole); },
    .set_item = [](Interpreter&, const Value&, const Value&, const Value&, const OperatorSpans&) {},  // plt.rcParams
    .call = [](Interpreter&, const Value& self, const CallArguments&) { return self; },
};

}  // namespace attn
