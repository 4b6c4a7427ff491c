#include "syntax/names.h"

namespace attn {
namespace {

struct TargetCollector {
  std::vector<const Expr*> targets;

  void add(const ExprPtr& target) {
    if (target) targets.push_back(target.get());
  }
  void add(const Pattern& pattern) { std::visit(*this, pattern.node); }

  void operator()(const ValuePattern&) {}
  void operator()(const CapturePattern& node) {
    if (node.pattern) add(*node.pattern);
    add(node.target);
  }
  void operator()(const StarPattern& node) { add(node.target); }
  void operator()(const SequencePattern& node) {
    for (const Pattern& element : node.elements) add(element);
  }
  void operator()(const MappingPattern& node) {
    for (const Pattern& value : node.values) add(value);
    add(node.rest);
  }
  void operator()(const ClassPattern& node) {
    for (const Pattern& positional : node.positional) add(positional);
    for (const Pattern& named : node.named) add(named);
  }
  void operator()(const OrPattern& node) { add(node.alternatives.front()); }
};

struct NameCollector {
  bool goes_inside;  // into functions and classes
  std::unordered_set<Symbol> bound, elsewhere;

  void target(const ExprPtr& expr) {
    if (!expr) return;
    if (const Name* name = std::get_if<Name>(&expr->node)) bound.insert(name->id);
    if (const Starred* starred = std::get_if<Starred>(&expr->node)) target(starred->value);
    const TupleExpr* tuple = std::get_if<TupleExpr>(&expr->node);
    const ListExpr* list = std::get_if<ListExpr>(&expr->node);
    if (!tuple && !list) return;
    for (const ExprPtr& element : tuple ? tuple->elements : list->elements) target(element);
  }
  void block(const Block& statements) {
    for (const Stmt& stmt : statements) std::visit([&](const auto& node) { visit(node); }, stmt.node);
  }

  void visit(const Assign& node) {
    for (const ExprPtr& t : node.targets) target(t);
  }
  void visit(const AugAssign& node) { target(node.target); }
  void visit(const AnnAssign& node) { target(node.target); }
  void visit(const If& node) { block(node.body), block(node.otherwise); }
  void visit(const Match& node) {
    for (const MatchCase& each : node.cases) {
      for (const Expr* name : targets_of(each.pattern)) bound.insert(std::get<Name>(name->node).id);
      block(each.body);
    }
  }
  void visit(const For& node) { target(node.target), block(node.body), block(node.otherwise); }
  void visit(const While& node) { block(node.body), block(node.otherwise); }
  void visit(const Try& node) {
    block(node.body);
    for (const Handler& handler : node.handlers) {
      if (!handler.name.empty()) bound.insert(handler.name);
      block(handler.body);
    }
    block(node.otherwise);
    block(node.finally);
  }
  void visit(const With& node) {
    for (const auto& item : node.items) target(item.second);
    block(node.body);
  }
  void visit(const FunctionDef& node) {
    bound.insert(node.name);
    if (!goes_inside) return;
    block(*node.body);
    bound.insert(node.named.begin(), node.named.end());
  }
  void visit(const ClassDef& node) {
    bound.insert(node.name);
    if (goes_inside) block(node.body);
  }
  void visit(const Import& node) {
    for (const ImportedName& name : node.names)
      if (name.name != "*") bound.insert(name.bound);  // which ones those are, only the module knows
  }
  void visit(const ScopeNames& node) { elsewhere.insert(node.names.begin(), node.names.end()); }
  template <class Other>
  void visit(const Other&) {}
};

}  // namespace

std::vector<const Expr*> targets_of(const Pattern& pattern) {
  TargetCollector collector;
  collector.add(pattern);
  return std::move(collector.targets);
}

std::unordered_set<Symbol> bound_names(const Block& block) {
  NameCollector collector{.goes_inside = false, .bound = {}, .elsewhere = {}};
  collector.block(block);
  for (const Symbol name : collector.elsewhere) collector.bound.erase(name);
  return std::move(collector.bound);
}

std::unordered_set<Symbol> names_bound_anywhere(const Block& block) {
  NameCollector collector{.goes_inside = true, .bound = {}, .elsewhere = {}};
  collector.block(block);
  return std::move(collector.bound);
}

std::vector<Assignment> assignments(const Block& block) {
  std::vector<Assignment> out;
  for (const Stmt& stmt : block) {
    const Assign* assign = std::get_if<Assign>(&stmt.node);
    const Name* name = assign && assign->targets.size() == 1 ? std::get_if<Name>(&assign->targets[0]->node) : nullptr;
    if (name) out.push_back({name->id, assign->value.get()});
  }
  return out;
}

std::string with_values(std::string code, const std::vector<Assignment>& assignments,
                        const std::map<std::string, std::string>& values) {
  for (auto assignment = assignments.rbegin(); assignment != assignments.rend(); ++assignment) {
    const auto value = values.find(assignment->name);
    const Span place = assignment->value->span;  // taken from the end, it stays true
    if (value != values.end()) code.replace(place.begin, place.end - place.begin, value->second);
  }
  return code;
}

}  // namespace attn
