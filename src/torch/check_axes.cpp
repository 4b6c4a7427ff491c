// Axis comments at run time: what a comment says is held against the tensor, then names its axes.
#include <cctype>
#include <functional>

#include "base/diagnostic.h"
#include "python/evaluator.h"
#include "python/interpreter.h"
#include "text/say.h"
#include "torch/axis_names.h"

namespace attn {
namespace {

struct Mismatch {
  std::string message;
  std::string hint;
};

// Where a comment stands, and whether it is a lesson's.
struct Context {
  const Interpreter& interpreter;
  Scope& scope;
  bool strict;
  Span comment;
};

// The size that a name stands for: its variable's value, else what a comment said before.
struct NamedSize {
  std::int64_t value;
  bool is_variable;
};

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

// Whether the name stands in the code of a function, comments left aside.
bool is_read_in(std::string_view code, const std::string& name) {
  bool in_comment = false;
  for (std::size_t at = 0; at < code.size(); ++at) {
    in_comment = code[at] == '#' || (in_comment && code[at] != '\n');
    if (in_comment || code.compare(at, name.size(), name) != 0 || (at && is_word(code[at - 1]))) continue;
    if (const std::size_t end = at + name.size(); end == code.size() || !is_word(code[end])) return true;
  }
  return false;
}

// What an author outside of lessons can hardly mean by the name: the counter of a loop, or a variable far above of
// which the function with the comment knows nothing.
bool is_another_thing(const Interpreter& interpreter, const Scope& scope, const Scope& holder, const std::string& name,
                      const Int& number) {
  const auto& sources = interpreter.sources();
  if (number.origin && sources[number.origin->span.source].slice(number.origin->span).starts_with("for ")) return true;
  if (&scope == &holder || holder.outer || interpreter.frames().empty()) return false;
  const Function& function = *interpreter.frames().back().function;
  if (!function.block || function.block->empty()) return false;
  Span body = function.block->front().span;
  body.end = function.block->back().span.end;
  return !is_read_in(sources[body.source].slice(body), name);
}

std::optional<NamedSize> size_of_name(const Context& context, const std::string& name) {
  const Scope& scope = context.scope;
  for (const Scope* at = &scope; at; at = at->outer.get()) {
    const Value* variable = at->names.find(name);
    if (!variable) continue;
    const Int* number = variable->as_int();
    if (number && (context.strict || !is_another_thing(context.interpreter, scope, *at, name, *number)))
      return NamedSize{number->value, true};
    break;
  }
  const auto seen = scope.axis_sizes.find(name);
  if (seen == scope.axis_sizes.end()) return std::nullopt;
  return NamedSize{seen->second.size, false};
}

// Checks one axis and notes the sizes of names that were unknown so far.
std::optional<Mismatch> check_item(const Context& context, const AxisItem& item, std::int64_t size,
                                   const std::function<std::string()>& place) {
  std::int64_t known = 1;
  std::string unknown;
  std::string because;
  for (const auto& factor : item.factors) {
    if (const std::int64_t* number = std::get_if<std::int64_t>(&factor)) {
      known *= *number;
    } else if (const auto named = size_of_name(context, std::get<std::string>(factor))) {
      known *= named->value;
      because += (because.empty() ? "" : ", ") +
                 say(named->is_variable ? "axes.because" : "axes.because.seen",
                     {{"name", std::get<std::string>(factor)}, {"size", std::to_string(named->value)}});
    } else if (unknown.empty()) {
      unknown = std::get<std::string>(factor);
    } else {
      return std::nullopt;  // two unknown factors: nothing can be said
    }
  }
  const std::string text = axis_text(item);
  if (unknown.empty()) {
    if (known == size) return std::nullopt;
    const std::string product = std::to_string(known);
    const Words words = {{"place", place()}, {"size", std::to_string(size)}, {"text", text}, {"product", product}};
    return Mismatch{say(text == product ? "axes.size" : "axes.size.product", words), because};
  }
  if (known == 0 || size % known != 0)
    return Mismatch{
        say("axes.multiple",
            {{"place", place()}, {"size", std::to_string(size)}, {"known", std::to_string(known)}, {"text", text}}),
        because};
  context.scope.axis_sizes[unknown] = {size / known, context.comment};
  return std::nullopt;
}

std::optional<Mismatch> check_items(const Context& context, const AxisComment& comment, const std::string& target,
                                    const TensorObject& tensor) {
  if (comment.items.size() != tensor.axes.size()) {
    return Mismatch{say_count("axes.count", tensor.tensor.dim(),
                              {{"target", target},
                               {"shape", shape_text(tensor.tensor.shape())},
                               {"named", std::to_string(comment.items.size())}}),
                    ""};
  }
  for (std::size_t i = 0; i < comment.items.size(); ++i) {
    auto mismatch = check_item(context, comment.items[i], tensor.tensor.size(static_cast<std::int64_t>(i)), [&] {
      return say("axes.place", {{"axis", std::to_string(i)}, {"target", target}});
    });
    if (mismatch) return mismatch;
  }
  return std::nullopt;
}

// A number names nothing: the axis keeps the name that it has.
void name_axes(const AxisComment& comment, TensorObject& tensor) {
  for (std::size_t i = 0; i < comment.items.size(); ++i) {
    const AxisItem& item = comment.items[i];
    if (item.factors.size() == 1 && std::holds_alternative<std::int64_t>(item.factors[0])) continue;
    std::string name = axis_text(item);
    Axis& axis = tensor.axes[i];
    if (name == claimed_name(axis.name)) continue;
    // The words stay: they belong to the places along the axis, whatever it is called.
    for (Axis& other : tensor.axes)
      if (!other.by.empty() && other.by == axis.name) other.by = name;
    axis = Axis{std::move(name), axis.words, nullptr, axis.by};
  }
}

/// Under which Scope keeps words: "key_len", or of those in rows "batch_size, key_len".
std::string words_key(const std::string& by, const std::string& axis) { return by.empty() ? axis : by + ", " + axis; }

std::optional<Mismatch> put_words(Scope& scope, const AxisComment& comment) {
  const Value* found = scope.names.find(comment.words);
  const List* list = found ? found->as<List>() : nullptr;
  if (!list) return Mismatch{say("axes.words", {{"words", comment.words}}), say("axes.words.hint")};
  auto words = std::make_shared<std::vector<std::string>>();
  for (const Value& item : list->items) {
    const List* row = item.as<List>();
    if ((row != nullptr) == comment.by.empty())
      return row ? Mismatch{say("axes.words.lists", {{"words", comment.words}}), say("axes.words.lists.hint")}
                 : Mismatch{say("axes.words.no_lists", {{"words", comment.words}, {"by", comment.by}}), ""};
    if (row && row->items.size() != list->items.front().as<List>()->items.size())
      return Mismatch{say("axes.words.ragged", {{"words", comment.words}}), say("axes.words.ragged.hint")};
    if (!row) words->push_back(str(item));
    for (std::size_t i = 0; row && i < row->items.size(); ++i) words->push_back(str(row->items[i]));
  }
  scope.axis_words[words_key(comment.by, comment.axis)] = {std::move(words), comment.by};
  for (auto& [name, value] : scope.names) {
    if (TensorObject* tensor = value.as<TensorObject>()) attach_words(scope, *tensor);
  }
  return std::nullopt;
}

// In a learner's own file "(a)" is prose.
bool is_prose(const AxisComment& comment, bool strict) {
  return !strict && comment.in_parentheses && comment.items.size() == 1;
}

// ---- several targets ----

std::size_t count_names(const Expr& target, const std::string*& first) {
  const std::vector<ExprPtr>* elements = nullptr;
  if (const auto* tuple = std::get_if<TupleExpr>(&target.node)) elements = &tuple->elements;
  if (const auto* list = std::get_if<ListExpr>(&target.node)) elements = &list->elements;
  std::size_t count = 0;
  for (std::size_t i = 0; elements && i < elements->size(); ++i) count += count_names(*(*elements)[i], first);
  const Name* name = std::get_if<Name>(&target.node);
  if (!name) return count;
  const std::string& text = name->id;
  if (!first && text != "_") first = &text;
  return 1;
}

/// The names that a statement binds: how many, and the first.
struct Targets {
  std::size_t count = 0;
  const std::string* first = nullptr;
};

Targets targets_of(const Stmt& stmt) {
  Targets out;
  if (const Assign* assign = std::get_if<Assign>(&stmt.node))
    for (const ExprPtr& target : assign->targets) out.count += count_names(*target, out.first);
  return out;
}

TensorObject* tensor_of(const Scope& scope, const std::string& name) {
  const Value* found = scope.names.find(name);
  return found ? found->as<TensorObject>() : nullptr;
}

/// In another round the same name may stand for another size: of the last block, of the next sentence.
void forget_sizes(Scope& scope, const AxisComment& comment) {
  std::erase_if(scope.axis_sizes, [&](const auto& known) { return known.second.comment == comment.span; });
}

/// Names the axes of a tensor that the comment may not speak of: what does not fit is left as it is.
void name_where_it_fits(const Context& context, const AxisComment& comment, const std::string& target) {
  TensorObject* tensor = tensor_of(context.scope, target);
  if (!tensor || !comment.axis.empty() || is_prose(comment, context.strict)) return;
  auto sizes_before = context.scope.axis_sizes;
  if (check_items(context, comment, target, *tensor)) {
    context.scope.axis_sizes = std::move(sizes_before);
    return;
  }
  name_axes(comment, *tensor);
  attach_words(context.scope, *tensor);
}

}  // namespace

void apply_axis_comment(Interpreter& interpreter, Scope& scope, const Stmt& stmt, const std::string& name,
                        bool strict) {
  const AxisComment& comment = *stmt.comment;
  const Targets targets = targets_of(stmt);
  if (!comment.name.empty() || targets.count < 2) {
    if (comment.name.empty() || comment.name == name) apply_axis_comment(interpreter, scope, comment, name, strict);
    return;
  }
  const bool is_meant = targets.first && *targets.first == name;
  const TensorObject* tensor = tensor_of(scope, name);
  // "loss, logits = model(x)  # (B, T, V)" in a learner's file: the comment is about another one.
  const bool is_of_another = !strict && tensor && comment.axis.empty() && tensor->axes.size() != comment.items.size();
  if (is_meant && !is_of_another) return apply_axis_comment(interpreter, scope, comment, name, strict);
  if (is_meant) forget_sizes(scope, comment);
  name_where_it_fits({interpreter, scope, strict, comment.span}, comment, name);
}

void attach_words(const Scope& scope, TensorObject& tensor) {
  if (scope.axis_words.empty()) return;
  for (std::size_t i = 0; i < tensor.axes.size(); ++i) {
    const AxisWords* found = nullptr;
    for (const Axis& axis : tensor.axes)
      if (const auto rows = scope.axis_words.find(words_key(axis.name, tensor.axes[i].name));
          rows != scope.axis_words.end())
        found = &rows->second;
    const auto plain = scope.axis_words.find(tensor.axes[i].name);
    // Words of each sentence say more than those of one.
    if (!found && plain != scope.axis_words.end() && tensor.axes[i].by.empty()) found = &plain->second;
    if (!found) continue;
    Axes axes = tensor.axes;
    axes[i].words = found->words;
    axes[i].by = found->by;
    if (words_fit(axes, i, tensor.tensor.shape())) tensor.axes = std::move(axes);
  }
}

void apply_axis_comment(Interpreter& interpreter, Scope& scope, const AxisComment& comment, const std::string& target,
                        bool strict) {
  if (is_prose(comment, strict)) return;
  if (!strict) forget_sizes(scope, comment);
  std::optional<Mismatch> mismatch;
  if (!comment.axis.empty()) {
    mismatch = put_words(scope, comment);
  } else {
    TensorObject* tensor = tensor_of(scope, target);
    if (!tensor) {
      if (!strict) return;
      mismatch = Mismatch{say("axes.no_tensor", {{"target", target}}), say("axes.no_tensor.hint")};
    } else if (!(mismatch = check_items({interpreter, scope, strict, comment.span}, comment, target, *tensor))) {
      name_axes(comment, *tensor);
      attach_words(scope, *tensor);
      return;
    }
  }
  if (!mismatch) return;
  CellError error(Code::Axis, comment.span, mismatch->message, mismatch->hint);
  if (strict) throw error;
  error.diagnostic().severity = Severity::Warning;
  if (interpreter.observer()) interpreter.observer()->warned(error.diagnostic());
}

}  // namespace attn
