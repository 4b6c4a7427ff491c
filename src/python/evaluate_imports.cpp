// Statements that import: what is known here, files beside the program, and what Python would find and is refused where
// it is used.
#include <fmt/format.h>

#include "base/file_bytes.h"
#include "base/files.h"
#include "base/limits.h"
#include "base/text.h"
#include "python/evaluator.h"
#include "python/exceptions.h"
#include "python/function.h"
#include "python/modules/unsupported_names.h"
#include "python/natives.h"
#include "python/type.h"
#include "syntax/parser.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// ---- files beside the program ----

/// A file that was imported: what its names stand for. A folder without __init__.py has its files alone.
struct FileModule : Object {
  static const Type kType;
  FileModule(std::string p, std::string f, Ref<Scope> s)
      : Object(kType), path(std::move(p)), file(std::move(f)), scope(std::move(s)) {}
  void clear() override { scope = nullptr; }
  std::string path;  // "models.layers"
  std::string file;  // "models/layers.py"
  Ref<Scope> scope;
};

const Type FileModule::kType = {
    .name = "module",
    .repr =
        [](const Value& self) {
          const FileModule& module = *self.as<FileModule>();
          return fmt::format("<module '{}' from '{}'>", module.path, module.file);
        },
    .attribute =
        [](Interpreter&, const Value& self, const std::string& name, Span, Span, Value& out) {
          const Value* const found = self.as<FileModule>()->scope->names.find(name);
          return found && (out = *found, true);
        },
    .set_attribute =
        [](Interpreter&, const Value& self, const std::string& name, const Value& value, Span) {
          self.as<FileModule>()->scope->names[name] = value;
          return true;
        },
    .attribute_names =
        [](const Value& self) {
          std::vector<std::string> names;
          for (const auto& [name, value] : self.as<FileModule>()->scope->names) names.emplace_back(name.text());
          return names;
        },
};

const Scope& root_of(const Scope& scope) { return scope.outer ? root_of(*scope.outer) : scope; }

// The names that `from module import *` binds.
std::vector<std::pair<std::string, Value>> all_of_file(Interpreter& interpreter, const FileModule& module, Span span) {
  std::vector<std::pair<std::string, Value>> members;
  const NameTable& names = module.scope->names;
  if (const Value* const all = names.find("__all__")) {
    for (const Value& name : interpreter.to_vector(*all, span))
      if (const Value* const member = names.find(str(name))) members.emplace_back(str(name), *member);
    return members;
  }
  for (const auto& [name, value] : names)
    if (!name.text().starts_with('_')) members.emplace_back(name.text(), value);
  return members;
}

CellError missing_name(const Value& imported, const ImportedName& name) {
  const FileModule& module = *imported.as<FileModule>();
  const std::string near = nearest(name.name, FileModule::kType.attribute_names(imported));
  return python_error("ImportError", name.span,
                      fmt::format("cannot import name '{}' from '{}' ({})", name.name, module.path, module.file),
                      near.empty() ? "" : did_you_mean(near));
}

/// The bytes of a file of the program's folder; null: there is none.
std::shared_ptr<const BytesAt> opened(const FileOpener& open, const std::string& file) {
  try {
    return open(file);
  } catch (const MissingFile&) {
    return nullptr;
  }
}

// ---- what is not known here ----

// The part of torch.nothing.more that Python would not find (torch.nothing); empty if there is such a module.
std::string missing_part(const std::string& path) {
  Value module;
  const std::size_t dot = path.find('.');
  const std::string top = path.substr(0, dot);
  if (!find_module(top, module) && !is_standard_module(top) && !is_installed_module(top)) return top;
  for (std::size_t end = dot; end != std::string::npos;) {
    const std::string outer = path.substr(0, end);
    const std::size_t begin = end + 1;
    end = path.find('.', begin);
    const std::string part = path.substr(begin, end - begin);
    if (has_listed_names(outer) && !part.starts_with('_') && !is_name_of(outer, part)) return path.substr(0, end);
  }
  return "";
}

// A module that is not known here passes if Python would find it, because notebooks import more than they use; its use
// is refused, with the place. If the program can do without a library, the library is not found.
Value imported_unsupported(const ImportedName& name, bool has_way_without) {
  std::string missing = missing_part(name.module);
  const std::string top = name.module.substr(0, name.module.find('.'));
  if (missing.empty() && has_way_without && is_installed_module(top)) missing = top;
  if (missing.empty()) return make<Module>(name.module, true);
  const std::string near = nearest(top, {"torch", "numpy", "math", "random", "matplotlib", "typing", "collections"});
  throw python_error("ModuleNotFoundError", name.span, fmt::format("No module named '{}'", missing),
                     near == top ? "" : did_you_mean(near));
}

Value imported_member(Interpreter& interpreter, const Value& module, const ImportedName& name) {
  const std::string path = name.module + "." + name.name;
  if (const Module* const known = module.as<Module>(); known && known->is_unsupported) return make<Module>(path, true);
  try {
    return get_attribute(interpreter, module, name.name, name.span, name.span);
  } catch (const CellError& error) {
    if (error.type() == "AttributeError") {
      throw python_error("ImportError", name.span,
                         fmt::format("cannot import name '{}' from '{}' (unknown location)", name.name, name.module),
                         error.diagnostic().hint);
    }
    if (error.diagnostic().code != Code::Unsupported) throw;
    return make<Module>(path, true);
  }
}

// `from module import *`: a name that is not known here is refused where it is used.
std::vector<std::pair<std::string, Value>> all_members(const Value& module, const ImportedName& star) {
  std::vector<std::pair<std::string, Value>> members;
  for (const std::string& name : public_names(star.module)) {
    Value member;
    if (!module_member(*module.as<Module>(), name, member)) member = make<Module>(star.module + "." + name, true);
    members.emplace_back(name, member);
  }
  if (members.empty()) throw unsupported(star.span, "unsupported.import_star", {{"module", star.module}});
  return members;
}

}  // namespace

/// "helper", or in the file pkg/part.py "pkg.other" for ".other".
///   Errors: ImportError where there is no package.
std::string Evaluator::absolute_name(const ImportedName& name) const {
  const std::size_t dots = std::min(name.module.find_first_not_of('.'), name.module.size());
  if (dots == 0) return name.module;
  const Scope& root = root_of(*in_.scope_);
  const Value* const package = root.names.find("__package__");
  std::string outer = package ? str(*package) : "";
  for (std::size_t up = 1; up < dots && !outer.empty(); ++up)
    outer.erase(outer.find('.') == std::string::npos ? 0 : outer.rfind('.'));
  if (outer.empty())
    throw python_error("ImportError", name.span, "attempted relative import with no known parent package");
  const std::string rest = name.module.substr(dots);
  return rest.empty() ? outer : outer + "." + rest;
}

/// A file beside the program as a module. Its statements run once and are no steps; what its functions do is.
bool Evaluator::find_file(const std::string& path, Value& out) {
  const FileOpener& open = in_.options().open_file;
  constexpr std::size_t kLongest = 4096;  // no file system finds what lies deeper
  if (!open || path.size() > kLongest) return false;
  const Value kept = in_.kept("modules");
  Dict& modules = *kept.as<Dict>();
  const Value key = make_str(path);
  if (const Value* const known = modules.find(key)) return out = *known, true;

  const std::size_t dot = path.rfind('.');
  const std::string outer = dot == std::string::npos ? "" : path.substr(0, dot);
  Value package;
  const bool has_package = !outer.empty() && find_file(outer, package);
  std::string file = replaced(path, ".", "/") + ".py", of = outer;
  std::shared_ptr<const BytesAt> bytes = opened(open, file);
  if (!bytes) {
    file = replaced(path, ".", "/") + "/__init__.py";
    of = path;
    bytes = opened(open, file);
  }
  if (!bytes) return false;
  if (!outer.empty() && !has_package) {
    package = make<FileModule>(outer, replaced(outer, ".", "/"), make<Scope>());
    modules.set(make_str(outer), package);
  }

  const std::string text = valid_utf8(first_bytes(*bytes, bytes->size()));
  charge(static_cast<std::int64_t>(text.size()));
  const std::uint32_t number = in_.add_source({file, replaced(text, "\r\n", "\n")});
  const auto block = std::make_shared<const Block>(parse_cell(in_.sources()[number], number));
  in_.blocks_.insert(in_.blocks_.end() - 1, block);  // the last is that of the cell
  const Ref<Scope> scope = make<Scope>();
  scope->names["__name__"] = key;
  scope->names["__package__"] = make_str(of);
  scope->names["__file__"] = make_str(file);
  out = make<FileModule>(path, file, scope);
  modules.set(key, out);
  struct Restore {
    Ref<Scope>& place;
    Ref<Scope> value;
    ~Restore() { place = value; }
  } restore{in_.scope_, in_.scope_};
  in_.scope_ = scope;
  Evaluator body(in_);
  body.is_importing_ = true;
  try {
    body.run(*block);
  } catch (...) {
    modules.erase(key);
    throw;
  }
  if (FileModule* const holder = package.as<FileModule>()) holder->scope->names[path.substr(dot + 1)] = out;
  return true;
}

Evaluator::Flow Evaluator::execute(const Import& node, const Stmt&) {
  for (const ImportedName& written : node.names) {
    ImportedName name = written;
    name.module = absolute_name(written);
    Value module, part;
    if (!find_module(name.module, module) && !find_file(name.module, module)) {
      if (!name.name.empty() && find_file(name.module + "." + name.name, part)) {  // of a folder
        assign_name(name.bound, part, name.span);
        continue;
      }
      module = imported_unsupported(name, in_.catches_import_errors_);
    }
    FileModule* const file = module.as<FileModule>();
    if (name.name == "*") {
      const auto members = file ? all_of_file(in_, *file, name.span) : all_members(module, name);
      for (const auto& [member, value] : members) assign_name(member, value, name.span);
      continue;
    }
    if (file && !name.name.empty()) {
      if (const Value* const member = file->scope->names.find(name.name)) module = *member;
      else if (find_file(name.module + "." + name.name, part)) module = part;
      else throw missing_name(module, name);
    } else if (!name.name.empty()) {
      module = imported_member(in_, module, name);
    } else if (const auto dot = name.module.find('.'); name.bound == name.module.substr(0, dot)) {
      // import torch.nn binds torch
      if (!find_module(name.bound, module) && !find_file(name.bound, module)) module = make<Module>(name.bound, true);
    }
    assign_name(name.bound, module, name.span);
  }
  return Flow::Next;
}

}  // namespace attn
