#pragma once
// The walk over the tree: one function per kind of node. The Interpreter is the door to it.
#include <optional>
#include <string>
#include <vector>

#include "python/value.h"
#include "syntax/ast.h"

namespace attn {

class CellError;
class Interpreter;
class GeneratorRun;
class Observer;
struct ClassObject;
struct Loop;
struct Scope;

class Evaluator {
 public:
  explicit Evaluator(Interpreter& interpreter) : in_(interpreter) {}

  /// How a statement was left.
  enum class Flow { Next, Break, Continue, Return };

  Flow run(const Block& block);
  Value evaluate(const Expr& expr);
  Value call(const Function& function, const CallArguments& arguments);
  std::string format(const FString& text);

 private:
  // statements
  Flow run(const Stmt& stmt);
  Flow execute(const Stmt& stmt);
  Flow execute(const Assign& node, const Stmt& stmt);
  Flow execute(const AugAssign& node, const Stmt& stmt);
  Flow execute(const AnnAssign& node, const Stmt& stmt);
  Flow execute(const ExprStmt& node, const Stmt& stmt);
  Flow execute(const Assert& node, const Stmt& stmt);
  Flow execute(const If& node, const Stmt& stmt);
  Flow execute(const Match& node, const Stmt& stmt);
  Flow execute(const For& node, const Stmt& stmt);
  Flow execute(const While& node, const Stmt& stmt);
  Flow execute(const Return& node, const Stmt& stmt);
  Flow execute(const Raise& node, const Stmt& stmt);
  Flow execute(const Delete& node, const Stmt& stmt);
  Flow execute(const ScopeNames& node, const Stmt& stmt);
  Flow execute(const Try& node, const Stmt& stmt);
  Flow execute(const With& node, const Stmt& stmt);
  Flow execute(const FunctionDef& node, const Stmt& stmt);
  Flow execute(const ClassDef& node, const Stmt& stmt);
  Flow execute(const Pass&, const Stmt&) { return Flow::Next; }
  Flow execute(const Break&, const Stmt&) { return Flow::Break; }
  Flow execute(const Continue&, const Stmt&) { return Flow::Continue; }
  Flow execute(const Import& node, const Stmt& stmt);
  Flow execute(const AxisNote& node, const Stmt& stmt);

  Flow handle(const Try& node, const CellError& error);
  Flow run_with(const With& node, std::size_t item, const Stmt& stmt);
  void remove(const Expr& target);
  void check_annotation(const Expr* annotation);
  Value decorated(Value value, const std::vector<ExprPtr>& decorators);
  Ref<ClassObject> make_class(const ClassDef& node, const Stmt& stmt);

  // patterns: whether they take a value, and what they then bind
  using Bindings = std::vector<std::pair<const Expr*, Value>>;
  using Parts = std::vector<std::pair<const Pattern*, Value>>;  // of a pattern, with the value that each is to take
  bool takes(const Pattern& pattern, const Value& value, Bindings& bound);
  bool takes(const Parts& parts, Bindings& bound);
  bool takes(const ValuePattern& node, const Value& value, Span span, Bindings& bound);
  bool takes(const CapturePattern& node, const Value& value, Span span, Bindings& bound);
  bool takes(const StarPattern& node, const Value& value, Span span, Bindings& bound);
  bool takes(const SequencePattern& node, const Value& value, Span span, Bindings& bound);
  bool takes(const MappingPattern& node, const Value& value, Span span, Bindings& bound);
  bool takes(const ClassPattern& node, const Value& value, Span span, Bindings& bound);
  bool takes(const OrPattern& node, const Value& value, Span span, Bindings& bound);

  // binding
  enum class Report { Yes, No };
  void assign(const Expr& target, const Value& value, const Stmt* stmt, Report report);
  [[gnu::noinline]] void assign_part(const Expr& target, const Value& value);  // an item or an attribute
  void tell_assigned(const std::string& name, const Value& value);
  void assign_name(Symbol name, const Value& value, Span span);
  void assign_name(Symbol name, const Value& value, const Stmt* stmt);
  void unpack(const std::vector<ExprPtr>& targets, const Value& value, Span span, const Stmt* stmt, Report report);
  void report_bound(const Expr& target, const Value& value);

  // expressions
  Value evaluate_node(const Expr& expr);
  Value visit(const Constant& node, const Expr& expr);
  Value visit(const Name& node, const Expr& expr);
  Value visit(const Unary& node, const Expr& expr);
  Value visit(const Binary& node, const Expr& expr);
  Value visit(const Compare& node, const Expr& expr);
  Value visit(const BoolOp& node, const Expr& expr);
  Value visit(const Conditional& node, const Expr& expr);
  Value visit(const Attribute& node, const Expr& expr);
  Value visit(const Subscript& node, const Expr& expr);
  Value visit(const SliceExpr& node, const Expr& expr);
  Value visit(const Call& node, const Expr& expr);
  Value visit(const TupleExpr& node, const Expr& expr);
  Value visit(const ListExpr& node, const Expr& expr);
  Value visit(const SetExpr& node, const Expr& expr);
  Value visit(const DictExpr& node, const Expr& expr);
  Value visit(const Starred& node, const Expr& expr);
  Value visit(const Lambda& node, const Expr& expr);
  Value visit(const Comprehension& node, const Expr& expr);
  Value visit(const NamedExpr& node, const Expr& expr);
  Value visit(const Yield& node, const Expr& expr);
  Value visit(const FString& node, const Expr& expr);

  std::vector<Value> elements(const std::vector<ExprPtr>& exprs);
  void comprehend(const Comprehension& node, const std::function<void()>& yield);
  void comprehend_more(const Comprehension& node, std::size_t clause, const Value& iterable,
                       const std::function<void()>& yield);
  bool passes(const ComprehensionClause& clause, const Value& item);
  Value generator(const Comprehension& node);
  const Value* look_up(Symbol name) const;
  const Value* look_up_outside(Symbol name) const;

  std::string mangled(const std::string& name) const;

  // The observer; null for code of the library, whose lines are not reported.
  Observer* watcher(Span span) const;
  /// Whether its lines are no steps.
  bool is_unseen(Span span) const;

  // imports
  bool find_file(const std::string& path, Value& out);
  std::string absolute_name(const ImportedName& name) const;

  // loops
  class Looping {  // while one is under way
   public:
    Looping(Interpreter& in, bool is_noted, const Stmt& stmt, const Value& iterable);
    ~Looping();
    Looping(const Looping&) = delete;
    Looping& operator=(const Looping&) = delete;

   private:
    Interpreter& in_;
    std::int64_t outer_iteration_;
    bool is_noted_;
  };
  bool is_noted(const Stmt& loop) const;
  std::optional<Loop> resumed(const Stmt& loop);
  void begin_round(const Stmt& loop);

  friend class GeneratorRun;
  Interpreter& in_;
  Value returned_;                      // by the function that this evaluator runs
  GeneratorRun* generating_ = nullptr;  // if it yields
  bool is_importing_ = false;           // runs a file that is imported
};

/// "Net." in the body of a class, "f.<locals>." in a call: what stands before the names of what is made there.
std::string name_prefix(const Scope* scope);
/// What the call of a function gives whose body yields: a generator, of which nothing has run. `first` is its first
/// argument.
Value make_generator(Interpreter& interpreter, const Function& function, Ref<Scope> scope, Value first, Span span);
/// The text that opens a body, as __doc__ gives it; empty when there is none.
std::string doc_of(const Block& body);

/// MemoryError at a place. It ends the cell: no `except` of it can go on from there.
CellError out_of_memory(std::string message, Span place);

/// What `object.name` is. Errors: CellError Attribute, with the nearest name.
Value get_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span object_span,
                    Span span);

/// The names that dir() and did-you-mean know of.
std::vector<std::string> attribute_names(const Value& object);

/// What `object.name = value` does. Errors: CellError Attribute.
void set_attribute(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                   Span span);

/// The same when the class has a __setattr__ of its own: what super().__setattr__() does.
void set_plain_attribute(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                         Span span);
void delete_attribute(Interpreter& interpreter, const Value& object, const std::string& name, Span span);

/// int("3"), list(x), nn.Linear(8, 8): calls a type. Errors: CellError with Python's text.
Value construct(Interpreter& interpreter, const TypeObject& type, const CallArguments& arguments);

/// A name that is bound without an assignment: print, len, int. Null when there is none.
const Value* find_builtin(Symbol name);
std::vector<std::string> builtin_names();

/// A method of str, list, tuple, dict or set bound to its object. No value when there is none of that name.
bool container_method(const Value& object, const std::string& name, Value& out);
std::vector<std::string> container_method_names(const Value& object);

/// Names the axes of the tensor that a comment speaks of and checks them.
/// Errors: CellError Axis, or a warning to the observer where comments are not strict.
void apply_axis_comment(Interpreter& interpreter, Scope& scope, const AxisComment& comment, const std::string& target,
                        bool strict);
/// The same for the comment at the end of an assignment, once `name` is bound. Without a name of its own the comment
/// speaks of the first name that the statement binds, "_" left aside; the others get the names where their sizes agree.
void apply_axis_comment(Interpreter& interpreter, Scope& scope, const Stmt& stmt, const std::string& name, bool strict);

/// Puts the words of the scope on axes that carry their name.
void attach_words(const Scope& scope, TensorObject& tensor);

/// Gives an error raised without a place the place of what was being evaluated.
void add_span(CellError& error, Span span);

}  // namespace attn
