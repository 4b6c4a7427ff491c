#include "engine/touch.h"

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "base/text.h"
#include "python/interpreter.h"
#include "syntax/characters.h"
#include "syntax/parser.h"
#include "text/say.h"
#include "torch/gradient.h"

namespace attn {
namespace {

constexpr const char* kSourceName = "<change>";

// ---- what was typed ----

/// "query@9[0,1] += 1" -> query, 9, "query[0,1] += 1".
struct Typed {
  std::string name;
  std::optional<std::int64_t> step;
  std::string code;

  Source source() const { return {kSourceName, code}; }
};

[[noreturn]] void refuse(const Typed& typed, Code code, std::string message, std::string hint = {}) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.span = span_of(0, 0, std::max(typed.name.size(), std::size_t{1}));
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  throw UserError(std::move(diagnostic), typed.source(), UserError::Fault::Typed);
}

/// What leads to a member, with layers by their numbers as Python writes them: ".blocks.0.fc" -> ".blocks[0].fc".
std::string with_numbers_in_brackets(std::string_view rest) {
  std::string out;
  while (rest.starts_with('.') || rest.starts_with('[')) {
    const std::size_t end = rest[0] == '.' ? rest.find_first_of(".[ +-*/=", 1) : rest.find(']') + 1;
    const std::string_view part = rest.substr(0, end);
    const bool is_number = part.size() > 1 && std::all_of(part.begin() + 1, part.end(), is_digit);
    out += is_number ? "[" + std::string(part.substr(1)) + "]" : std::string(part);
    rest.remove_prefix(part.size());
    if (part.empty()) break;
  }
  return out + std::string(rest);
}

Typed understood(std::string_view text) {
  text = trim(text);
  Typed typed;
  const auto name_end = std::find_if_not(text.begin(), text.end(), continues_name);
  typed.name = std::string(text.begin(), name_end);
  auto rest = name_end;
  if (rest != text.end() && *rest == '@' && rest + 1 != text.end() && is_digit(rest[1])) {
    const auto digits_end = std::find_if_not(rest + 1, text.end(), is_digit);
    typed.step = parse_int(std::string_view(rest + 1, digits_end)).value_or(0);
    rest = digits_end;
  }
  typed.code = typed.name + with_numbers_in_brackets(std::string_view(rest, text.end()));
  if (typed.name.empty() || is_digit(typed.name.front()))
    refuse(typed, Code::Syntax, say("touch.form"), say("touch.form.hint"));
  return typed;
}

/// The name at the left end of query[0].t(), null where there is none.
const Name* root_of(const Expr& expr) {
  if (const Name* name = std::get_if<Name>(&expr.node)) return name;
  if (const auto* item = std::get_if<Subscript>(&expr.node)) return root_of(*item->object);
  if (const auto* attribute = std::get_if<Attribute>(&expr.node)) return root_of(*attribute->object);
  if (const auto* call = std::get_if<Call>(&expr.node)) return root_of(*call->function);
  return nullptr;
}

/// What the statement writes to: the target of an assignment, x of x.mul_(2). Null when it writes to nothing.
const Expr* written_to(const Stmt& stmt) {
  if (const auto* augmented = std::get_if<AugAssign>(&stmt.node)) return augmented->target.get();
  if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
    const bool rebinds = assign->targets.size() != 1 || std::holds_alternative<Name>(assign->targets[0]->node);
    return rebinds ? nullptr : assign->targets[0].get();
  }
  const auto* expression = std::get_if<ExprStmt>(&stmt.node);
  const auto* call = expression ? std::get_if<Call>(&expression->value->node) : nullptr;
  const auto* method = call ? std::get_if<Attribute>(&call->function->node) : nullptr;
  const bool in_place = method && method->name.ends_with('_') && !method->name.ends_with("__");
  return in_place ? method->object.get() : nullptr;
}

void require_in_place(const Typed& typed) {
  try {
    const Block block = parse_cell(typed.source());
    const Expr* target = block.size() == 1 ? written_to(block.front()) : nullptr;
    const Name* root = target ? root_of(*target) : nullptr;
    if (root && root->id == typed.name) return;
  } catch (const CellError& error) {
    throw UserError(error.diagnostic(), typed.source(), UserError::Fault::Typed);
  }
  refuse(typed, Code::Value, say("touch.rebinds", {{"name", typed.name}}),
         say("touch.rebinds.hint", {{"name", typed.name}}));
}

// ---- where it is bound ----

const Binding* binding_of(const Step& step, const std::string& name) {
  const auto found = std::find_if(step.bindings.begin(), step.bindings.end(),
                                  [&](const Binding& binding) { return binding.target == name && binding.value >= 0; });
  return found == step.bindings.end() ? nullptr : &*found;
}

/// The numbers of the steps that bind it: "4, 9".
std::string steps_binding(const Trace& trace, const std::string& name) {
  std::vector<std::string> places;
  const std::vector<StepId> steps = visible_steps(trace);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (binding_of(trace.step(steps[i]), name)) places.push_back(std::to_string(i + 1));
  constexpr std::size_t kMost = 12;
  if (places.size() > kMost) places.resize(kMost), places.push_back("...");
  return join(places, ", ");
}

[[noreturn]] void refuse_unbound(const Trace& trace, const Typed& typed) {
  const std::string places = steps_binding(trace, typed.name);
  if (!places.empty() && typed.step)
    refuse(typed, Code::Name, say("touch.step.unbound", {{"step", std::to_string(*typed.step)}, {"name", typed.name}}),
           say("touch.step.unbound.hint", {{"places", places}}));
  if (!places.empty())
    refuse(typed, Code::Name, say("touch.inner", {{"name", typed.name}, {"places", places}}),
           say("touch.inner.hint", {{"name", typed.name}, {"step", places.substr(0, places.find(','))}}));
  std::vector<std::string> known;
  for (const Step& step : trace.steps)
    for (const Binding& binding : step.bindings) known.push_back(binding.target);
  if (std::find(known.begin(), known.end(), typed.name) != known.end())
    refuse(typed, Code::Name, say("touch.hidden", {{"name", typed.name}}));
  refuse(typed, Code::Name, say("touch.unbound", {{"name", typed.name}}), did_you_mean(nearest(typed.name, known)));
}

/// Where it is to be changed: at the step that was named, else where the cells bind it first.
const Step& place_of(const Trace& trace, const Typed& typed) {
  if (typed.step) {
    const std::vector<StepId> steps = visible_steps(trace);
    const bool exists = *typed.step >= 1 && *typed.step <= static_cast<std::int64_t>(steps.size());
    if (!exists)
      refuse(typed, Code::Index, say("touch.step", {{"step", std::to_string(*typed.step)}}),
             say("touch.step.hint", {{"steps", std::to_string(steps.size())}}));
    const Step& step = trace.step(steps[static_cast<std::size_t>(*typed.step - 1)]);
    if (binding_of(step, typed.name)) return step;
    refuse_unbound(trace, typed);
  }
  for (const Step& step : trace.steps)
    if (step.activation == 0 && binding_of(step, typed.name)) return step;
  refuse_unbound(trace, typed);
}

/// += on a number would bind the name anew, and change nothing in place.
void require_changeable(const Trace& trace, const Typed& typed, const Step& step) {
  const RecordedValue& value = trace.value(binding_of(step, typed.name)->value);
  for (const std::string_view type : {"int", "float", "bool", "str", "tuple", "NoneType"}) {
    if (value.type == type)
      refuse(typed, Code::Type, say("touch.type", {{"name", typed.name}, {"type", std::string(type)}}),
             say("touch.type.hint", {{"name", typed.name}}));
  }
}

}  // namespace

Touch find_touch(const Trace& before, std::string_view text) {
  const Typed typed = understood(text);
  require_in_place(typed);
  const Step& step = place_of(before, typed);
  require_changeable(before, typed, step);
  return {typed.name, typed.code, step.id};
}

void apply_touch(Interpreter& interpreter, const Touch& touch) {
  struct Restore {
    Interpreter& interpreter;
    Observer* observer = interpreter.observer();
    bool grad = interpreter.grad_enabled();
    Generator generator = interpreter.generator();
    ~Restore() {
      interpreter.set_observer(observer);
      interpreter.set_grad_enabled(grad);
      interpreter.generator() = generator;
    }
  } restore{interpreter};
  interpreter.set_observer(nullptr);
  interpreter.set_grad_enabled(false);  // parameters of a layer may be written to
  try {
    interpreter.run({kSourceName, touch.code});
    const Value* touched = interpreter.find(touch.name);
    if (const TensorObject* tensor = touched ? touched->as<TensorObject>() : nullptr) adopt_numbers(*tensor);
  } catch (const CellError& error) {
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.span.source = 0;
    for (OperandNote& operand : diagnostic.operands) operand.span.source = 0;
    throw UserError(std::move(diagnostic), {kSourceName, touch.code}, UserError::Fault::Typed);
  }
}

}  // namespace attn
