#pragma once
// Functions that cells make, and the scopes that they run in.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "python/name_table.h"
#include "python/value.h"
#include "syntax/ast.h"

namespace attn {

struct Scope;

/// What `def` and lambda make. A lambda has an expression for a body, a def a block.
struct Function : Object {
  static const Type kType;
  Function() : Object(kType) {}
  void clear() override;
  std::optional<std::unique_ptr<Kept>> keep() override {
    return kept_members(*this, &Function::attributes, &Function::doc);
  }
  std::string name = "<lambda>";
  std::string qualified_name = "<lambda>";  // "Net.forward", "f.<locals>.g": what errors call it
  std::string doc;                          // the text that opens its body
  std::shared_ptr<const std::vector<Parameter>> parameters;
  std::vector<Value> defaults;  // one per parameter; None where there is none, see has_default
  std::vector<bool> has_default;
  std::shared_ptr<const Expr> returns;  // the annotation, may be null
  std::shared_ptr<const Expr> body;
  std::shared_ptr<const Block> block;
  std::shared_ptr<const std::unordered_set<Symbol>> locals;  // names that the block binds
  Ref<Scope> scope;                                          // that it was made in
  Value owner;                                               // the class in whose body it stands, for super()
  Value attributes;                                          // a dict of what a cell put on it, once there is any
  bool is_generator = false;                                 // its body yields
  std::optional<bool> grad;  // of @torch.no_grad(): whether gradients are on while it runs
};

/// What a comment puts on an axis, as Axis holds it.
struct AxisWords {
  std::shared_ptr<const std::vector<std::string>> words;
  std::string by;
};

/// Names of one activation: the cells of a lesson share one, each call of a function and each comprehension has its
/// own. `axis_sizes` is what axis comments have said so far, `axis_words` the words they put on an axis.
struct Scope : Counted<Scope> {
  NameTable names;
  struct AxisSize {
    std::int64_t size;
    Span comment;  // that said so
  };
  std::unordered_map<std::string, AxisSize> axis_sizes;
  std::unordered_map<std::string, AxisWords> axis_words;
  std::unordered_map<Symbol, Ref<Scope>> elsewhere;  // names declared global or nonlocal
  Ref<Function> function;                            // whose call this is, if it is one
  std::string class_name;                            // in the body of a class, which functions do not see
  Ref<Scope> outer;                                  // null for the global scope

  /// The scope that holds the name when it is bound here.
  Scope& holder_of(Symbol name) { return elsewhere.empty() ? *this : holder_elsewhere(name); }
  void forget_size(Symbol name);
  bool is_class() const { return !class_name.empty(); }
  /// Whether the body of the function binds the name, so that it is no name of the scopes outside.
  bool is_local(Symbol name) const { return function && function->locals && function->locals->contains(name); }

 private:
  Scope& holder_elsewhere(Symbol name);
};

}  // namespace attn
