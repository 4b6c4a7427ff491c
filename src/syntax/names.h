#pragma once
// Which names code binds, and other values written in the place of those that it binds them to.
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "syntax/ast.h"

namespace attn {

/// Names that a block binds: assignments, loops, imports, def, class, with, except, case; not those declared global.
std::unordered_set<Symbol> bound_names(const Block& block);

/// The same with the names that the functions and classes in it bind.
std::unordered_set<Symbol> names_bound_anywhere(const Block& block);

/// The names that a pattern binds, one after another; of alternatives, which bind the same, those of the first.
std::vector<const Expr*> targets_of(const Pattern& pattern);

/// `name = value` at the top level of a block.
struct Assignment {
  std::string name;
  const Expr* value;  // lives as long as the block
};

/// The assignments to one name, in order.
std::vector<Assignment> assignments(const Block& block);

/// The code with the values replaced for which `values` has a text, by name.
std::string with_values(std::string code, const std::vector<Assignment>& assignments,
                        const std::map<std::string, std::string>& values);

}  // namespace attn
