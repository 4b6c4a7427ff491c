#pragma once
// What PyTorch and numpy add to Python. The interpreter asks for it here; torch/ answers.
#include <string>
#include <string_view>
#include <vector>

#include "python/interpreter.h"
#include "python/value.h"

namespace attn {

struct ClassObject;
struct LayerInfo;

/// `import name`: the module, or nothing when it is not known. Members of known modules come through get_attribute.
bool find_module(const std::string& name, Value& out);
bool module_member(const Module& module, const std::string& name, Value& out);
std::vector<std::string> module_member_names(const Module& module);
/// Whether what is written into the module changes nothing here: settings of a graphics card.
bool is_idle_setting(const Module& module);

/// Calls a type of PyTorch or numpy: nn.Linear(8, 8), np.float32(3). False for other types.
bool construct_native(Interpreter& interpreter, const TypeObject& type, const CallArguments& arguments, Value& out);
/// An attribute of such a type: nn.Module.__init__.
bool native_type_member(const TypeObject& type, const std::string& name, Value& out);

/// The layer that a class of a cell derives from by a base of that name; null: none.
const LayerInfo* native_base(std::string_view path);
/// Its whole name: "torch.nn.modules.module.Module".
std::string_view native_path(const LayerInfo& base);
/// An object of a class with such a base, before its __init__.
Value native_object(Interpreter& interpreter, const Ref<ClassObject>& type);
/// What super() finds in the base: __init__, __getattr__, parameters and methods of layers.
bool native_base_member(const Value& self, const ClassObject& type, const std::string& name, Value& out);

/// What is written in Python: a function of a file of src/lib, or one in a class of it by its path: ("transformer",
/// "TransformerEncoder.forward"). None when the class has none of that name.
Value library_function(Interpreter& interpreter, std::string_view file, std::string_view path);

/// Calls an op of the table by its spelling ("torch.add") with positional arguments.
Value call_named_op(Interpreter& interpreter, std::string_view op, std::vector<Value> arguments,
                    std::vector<Span> spans, Span whole);

}  // namespace attn
