#include "torch/lib.h"

#include <map>
#include <memory>
#include <stdexcept>

#include "base/embedded.h"
#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/class.h"
#include "python/exceptions.h"
#include "python/modules/library.h"
#include "python/types/bytes.h"
#include "syntax/parser.h"
#include "tensor/core/scalar_type.h"
#include "tensor/io/stored_elements.h"
#include "text/unsupported.h"
#include "torch/axis_names.h"
#include "torch/generator.h"
#include "torch/gradient.h"
#include "torch/numpy/array.h"
#include "torch/ops/pieces.h"
#include "torch/tensor_data.h"

namespace attn {
namespace {

// ---- what library code has beside Python ----

std::string text_of(const CallArguments& arguments, std::size_t place) {
  return place < arguments.positional.size() ? str(arguments.positional[place]) : std::string();
}

Code code_named(const std::string& name) {
  int code = 0;
  while (code_name(static_cast<Code>(code)) != name) ++code;
  return static_cast<Code>(code);
}

// fail(code, text, hint, rule, *facts): an error with the text of PyTorch, at the learner's call. Of a rule each fact
// comes after its name.
Value fail(Interpreter&, CallArguments& arguments) {
  CellError error(code_named(text_of(arguments, 0)), {}, text_of(arguments, 1), text_of(arguments, 2));
  error.diagnostic().rule = text_of(arguments, 3);
  for (std::size_t i = 4; i + 1 < arguments.positional.size(); i += 2)
    error.diagnostic().facts.emplace_back(text_of(arguments, i), as_index(arguments.positional[i + 1]).value_or(0));
  throw error;
}

// say(id): a sentence of ours.
Value sentence(Interpreter&, CallArguments& arguments) { return make_str(say(text_of(arguments, 0))); }

// complain(text): to sys.stderr.
Value complain(Interpreter& interpreter, CallArguments& arguments) {
  if (Observer* const observer = interpreter.observer()) observer->complained(text_of(arguments, 0));
  return {};
}

// refuse(id, *words): what is not supported; each word after its name in the sentence.
Value refuse(Interpreter&, CallArguments& arguments) {
  std::vector<std::string> texts;
  for (const Value& word : arguments.positional) texts.push_back(str(word));
  Words words;
  for (std::size_t i = 1; i + 1 < texts.size(); i += 2) words.emplace_back(texts[i], texts[i + 1]);
  throw unsupported({}, texts.at(0), words);
}

// typename(value), as PyTorch's texts call it
Value type_name_of(Interpreter&, CallArguments& arguments) {
  return make_str(torch_type_name(arguments.positional.at(0)));
}

// history(tensor, name): the step that PyTorch calls the last one.
Value set_history(Interpreter&, CallArguments& arguments) {
  auto& tensor = native_argument<TensorObject>(arguments, 0);
  if (!tensor.grad_fn.empty()) tensor.grad_fn = text_of(arguments, 1);
  return arguments.positional[0];
}

// with_history(name, kept, inputs, outputs, changes): the outputs, those that change as results of a step `name`.
Value add_history(Interpreter&, CallArguments& arguments) {
  const auto& given = arguments.positional;
  return make_tuple(with_history(str(given.at(0)), given.at(1), *items_of(given.at(2)), *items_of(given.at(3)),
                                 *items_of(given.at(4))));
}

// parameters_of(function): (name, kind, default) of each, the default in a tuple of its own, empty where there is none.
Value parameters_of(Interpreter&, CallArguments& arguments) {
  const Function* function = arguments.positional.at(0).as<Function>();
  if (!function) throw unsupported({}, "unsupported.signature");
  std::vector<Value> parameters;
  for (std::size_t i = 0; i < function->parameters->size(); ++i) {
    const Parameter& parameter = (*function->parameters)[i];
    if (parameter.name.text().empty()) continue;  // a bare *
    std::vector<Value> given;
    if (function->has_default[i]) given.push_back(function->defaults[i]);
    const char* const kind = parameter.positional_only                      ? "POSITIONAL_ONLY"
                             : parameter.kind == ParameterKind::Plain       ? "POSITIONAL_OR_KEYWORD"
                             : parameter.kind == ParameterKind::Star        ? "VAR_POSITIONAL"
                             : parameter.kind == ParameterKind::KeywordOnly ? "KEYWORD_ONLY"
                                                                            : "VAR_KEYWORD";
    parameters.push_back(make_tuple({make_str(std::string(parameter.name.text())), make_str(kind), make_tuple(given)}));
  }
  return make_list(std::move(parameters));
}

// caller(): file, line and function of the program's line that the library works for.
Value caller(Interpreter& in, CallArguments& arguments) {
  const Span place = in.place_of(arguments.span);
  const Source& source = in.sources()[place.source];
  const Scope* scope = in.program_scope();
  while (scope && !scope->function) scope = scope->outer.get();  // out of comprehensions
  return make_tuple({make_str(source.name), Value(std::int64_t{position_of(source, place.begin).line}),
                     make_str(scope ? scope->function->name : "<module>")});
}

// named(size, name, before): a size that names its axis; without a name, none. `before` is one whose axis it takes in.
Value named_size(Interpreter&, CallArguments& arguments) {
  const std::int64_t size = as_index(arguments.positional.at(0)).value_or(0);
  Origin origin;
  origin.source = Origin::Source::AxisSize;
  origin.name = text_of(arguments, 1);
  origin.value = size;
  if (arguments.positional.size() > 2) {
    const std::string before = name_of(OriginPtr(arguments.positional[2].as_int()->origin));
    origin.name = before.empty() ? "" : before + "*" + origin.name;
  }
  return origin.name.empty() ? Value(size) : Value(size, make_origin(std::move(origin)));
}

// draw(generator): an int64 from it, or from that of the run.
Value draw(Interpreter& interpreter, CallArguments& arguments) {
  GeneratorObject* own = arguments.positional.at(0).as<GeneratorObject>();
  Generator& generator = own ? own->generator : interpreter.generator();
  return Value(static_cast<std::int64_t>(generator.word64() & std::uint64_t{INT64_MAX}));
}

// as_op(name, *arguments): an op that only layers call, or "op...." of the table.
Value call_inner_op(Interpreter& interpreter, CallArguments& arguments) {
  const std::string name = text_of(arguments, 0);
  arguments.positional.erase(arguments.positional.begin());
  arguments.spans.erase(arguments.spans.begin());
  if (const OpInfo* row = find_op(name)) return interpreter.call_op(*row, arguments);
  for (const auto rows : {recurrent_ops(), multi_head_ops(), optimizer_ops()})
    for (const OpInfo& row : rows)
      if (row.name == name) return interpreter.call_op(row, arguments);
  throw std::logic_error("no op " + name);
}

// new_object(class): an object without a call of __init__, new_object(class, text) of one that is a str;
// new_object(class, args, kwargs): what the class would make if it had no metaclass.
Value new_object(Interpreter& interpreter, CallArguments& arguments) {
  const auto& given = arguments.positional;
  const Ref<ClassObject> type(&native_argument<ClassObject>(arguments, 0));
  const bool is_text = type->builtin == "str";
  if (given.size() == 1 || (is_text && given.size() == 2)) {
    if (type->layer) return native_object(interpreter, type);
    return is_text ? make_derived(type, text_of(arguments, 1)) : Value(make<Instance>(type));
  }
  CallArguments call{given.at(1).as<Tuple>()->items, {}, {}, arguments.span};
  for (const auto& [name, value] : given.at(2).as<Dict>()->items) call.keywords.emplace_back(str(name), value);
  call.spans.assign(call.positional.size() + call.keywords.size(), arguments.span);
  return instantiate(interpreter, type, call);
}

// kept(name): a dict that lasts as long as the run.
Value kept_dict(Interpreter& interpreter, CallArguments& arguments) { return interpreter.kept(text_of(arguments, 0)); }

/// The file beside the program that a call of `function` names; null: there is none.
///   Errors: FileError where what has the name is no file, or lies outside.
std::shared_ptr<const BytesAt> file_of(Interpreter& interpreter, const Value& name, const std::string& function) {
  const FileOpener& open = interpreter.options().open_file;
  if (!open) throw unsupported({}, "unsupported.files", {{"function", function}});
  try {
    return open(str(name));
  } catch (const MissingFile&) {
    return nullptr;
  }
}

// file_text(name, function): its text, or its bytes if they are not UTF-8; None if there is no such file.
Value file_text(Interpreter& interpreter, CallArguments& arguments) try {
  const auto file = file_of(interpreter, arguments.positional.at(0), text_of(arguments, 1));
  if (!file) return {};
  charge(static_cast<std::int64_t>(file->size()));
  std::string text = first_bytes(*file, file->size());
  std::size_t wrong = 0;
  valid_utf8(text, &wrong);
  return wrong > 0 ? make_bytes(text) : make_str(std::move(text));
} catch (const FileError& error) {
  throw python_error("OSError", {}, error.what());
}

// is_file(name, function): None where what has the name is no file, or lies outside.
Value is_file(Interpreter& interpreter, CallArguments& arguments) try {
  const std::string function = text_of(arguments, 1);
  const Value& name = arguments.positional.at(0);
  return Value(file_of(interpreter, name, function.empty() ? "os.path.exists" : function) != nullptr);
} catch (const FileError&) {
  return {};
}

// file_size(name, function): in bytes; None if there is no such file.
Value file_size(Interpreter& interpreter, CallArguments& arguments) try {
  const auto file = file_of(interpreter, arguments.positional.at(0), text_of(arguments, 1));
  return file ? Value(static_cast<std::int64_t>(file->size())) : Value();
} catch (const FileError& error) {
  throw python_error("OSError", {}, error.what());
}

// numbers_in(source, dtype, offset, count, function): an array of the elements that begin at a byte of bytes or, if the
// source is a name, of a file that is there. They lie within it.
Value numbers_in(Interpreter& interpreter, CallArguments& arguments) try {
  const auto& given = arguments.positional;
  const DType dtype = numpy_dtype(given.at(1), arguments.span);
  const auto offset = static_cast<std::uint64_t>(as_index(given.at(2)).value_or(0));
  const std::int64_t count = as_index(given.at(3)).value_or(0);
  charge(count);
  if (const Bytes* bytes = given.at(0).as<Bytes>()) {
    const std::string raw = raw_bytes(*bytes);
    return make_array(read_elements(TextBytes("", raw), offset, {count}, dtype));
  }
  return make_array(stored_tensor(file_of(interpreter, given.at(0), text_of(arguments, 4)), offset, {count}, dtype));
} catch (const FileError& error) {
  throw python_error("OSError", {}, error.what());
}

// Arrays of str are none (src/lib/texts.py).
const Array& array_of(const CallArguments& arguments) {
  const Array* const array = arguments.positional.at(0).as<Array>();
  if (!array) throw unsupported(arguments.span, "unsupported.array.items", {{"type", "str"}});
  return *array;
}

// tensor_of(array): as torch.from_numpy(), also of types that PyTorch lacks and of a[::-1], to read it.
Value tensor_of(Interpreter&, CallArguments& arguments) {
  return make<TensorObject>(array_of(arguments).tensor->tensor);
}

// steps_of(array): as tensor.stride().
Value steps_of(Interpreter&, CallArguments& arguments) {
  const Array& array = array_of(arguments);
  require_forward(array, arguments.span);
  std::vector<Value> steps;
  for (const std::int64_t step : array.tensor->tensor.strides()) steps.emplace_back(step);
  return make_tuple(std::move(steps));
}

const Scope& natives() {
  thread_local const Scope scope = [] {
    const OutsideHeap outside;
    Scope made;
    const NativeRow functions[] = {{"fail", fail},
                                   {"say", sentence},
                                   {"complain", complain},
                                   {"typename", type_name_of},
                                   {"history", set_history},
                                   {"named", named_size},
                                   {"as_op", call_inner_op},
                                   {"refuse", refuse},
                                   {"draw", draw},
                                   {"file_text", file_text},
                                   {"file_size", file_size},
                                   {"numbers_in", numbers_in},
                                   {"steps_of", steps_of},
                                   {"tensor_of", tensor_of},
                                   {"is_file", is_file},
                                   {"new_object", new_object},
                                   {"caller", caller},
                                   {"kept", kept_dict},
                                   {"with_history", add_history},
                                   {"parameters_of", parameters_of}};
    for (const std::span<const NativeRow> rows :
         {std::span<const NativeRow>(functions), layer_natives(), pattern_natives()})
      for (const auto& [name, function] : rows)
        made.names[std::string(name)] = make<Builtin>(std::string(name), function);
    return made;
  }();
  return scope;
}

// ---- files ----

/// A file that has run: its names, and all that it made. They outlive every run.
struct LibraryFile {
  std::shared_ptr<const Block> block;
  Heap heap;
  Ref<Scope> scope;

  LibraryFile(Interpreter& interpreter, std::string_view name, std::uint32_t number) {
    const Undisturbed undisturbed;  // what half a file has made could not be let go
    const std::string path = "src/lib/" + std::string(name) + ".py";
    const Source source{path, std::string(embedded_file(path))};
    block = std::make_shared<const Block>(parse_cell(source, kLibrarySources + number));
    scope = make<Scope>(natives());
    interpreter.run_library(*block, scope);
    heap.leave();
  }
  LibraryFile(const LibraryFile&) = delete;
  LibraryFile& operator=(const LibraryFile&) = delete;
};

const LibraryFile& file_named(Interpreter& interpreter, std::string_view name) {
  thread_local std::map<std::string, LibraryFile, std::less<>> files;
  const auto found = files.find(name);
  if (found != files.end()) return found->second;
  static thread_local std::uint32_t number = 0;
  return files
      .emplace(std::piecewise_construct, std::forward_as_tuple(name),
               std::forward_as_tuple(interpreter, name, number++))
      .first->second;
}

}  // namespace

std::string torch_type_name(const Value& value) {
  const TensorObject* object = value.as<TensorObject>();
  if (!object) return class_of(value) ? "__main__." + type_name(value) : class_path(value);
  if (object->tensor.dtype() == DType::Bool) return "torch.BoolTensor";
  return class_name(object->tensor.dtype());
}

Value library_function(Interpreter& interpreter, std::string_view file, std::string_view path) {
  const Scope& scope = *file_named(interpreter, file).scope;
  const std::size_t dot = path.find('.');
  const Value* value = scope.names.find(path.substr(0, dot));
  if (!value || dot == std::string_view::npos) return value ? *value : Value();
  const Value* member = value->as<ClassObject>()->find(path.substr(dot + 1));
  return member ? *member : Value();
}

Value call_library(OpCall& call, std::string_view file) {
  CallArguments arguments;
  arguments.span = call.span();
  for (const OpParameter& parameter : call.parameters()) arguments.positional.push_back(call.value(parameter.name));
  Value function = library_function(call.interpreter(), file, call.info().name);
  if (const OpInfo* pure = call.info().pure; pure && function.is_none())  // add() for add_()
    function = library_function(call.interpreter(), file, pure->name);
  return last_step(call, call.interpreter().call(function, arguments));
}

}  // namespace attn
