#include "stepper/complete.h"

#include <algorithm>

#include "base/text.h"
#include "render/glossary.h"
#include "stepper/key_table.h"
#include "syntax/characters.h"
#include "syntax/parser.h"
#include "text/say.h"
#include "torch/nn/layer.h"
#include "torch/op.h"

namespace attn {
namespace {

// Of what is bound without an assignment and of Python's own words: those that one would begin to type.
constexpr std::string_view kPythonWords[] = {
    "False",    "None",   "True",  "abs",   "all",   "and",        "any",       "assert",   "bool",  "break", "class",
    "continue", "def",    "del",   "dict",  "elif",  "else",       "enumerate", "except",   "float", "for",   "from",
    "hasattr",  "import", "in",    "int",   "is",    "isinstance", "lambda",    "len",      "list",  "map",   "max",
    "min",      "not",    "pass",  "print", "raise", "range",      "return",    "reversed", "round", "set",   "sorted",
    "str",      "sum",    "tuple", "try",   "type",  "while",      "with",      "zip"};

constexpr std::string_view kHelp = ":help ";

// Whether a quotation is open at the end.
bool is_in_string(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote && text[i] == '\\') {
      ++i;
    } else if (quote ? text[i] == quote : text[i] == '"' || text[i] == '\'') {
      quote = quote ? '\0' : text[i];
    } else if (!quote && text[i] == '#') {
      return true;  // in a comment nothing is completed either
    }
  }
  return quote != 0;
}

// "(input: Tensor, dim: int, *, keepdim: bool = False)" -> "(input, dim, *, keepdim=False)".
std::string without_types(std::string_view signature) {
  std::string out;
  int depth = 0;
  bool in_type = false;
  for (const char c : signature) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ':' && depth == 1) in_type = true;
    if (in_type && (c == '=' || (c == ',' && depth == 1) || depth == 0)) in_type = false;
    if (!in_type) out += c;
  }
  for (std::size_t at; (at = out.find("= ")) != std::string::npos;) out.erase(at + 1, 1);
  return out;
}

// As one types it. Of several overloads the longest one, which says most.
std::string short_signature(std::string_view signature) {
  std::string longest;
  while (true) {
    const std::size_t bar = signature.find(" | ");
    const std::string one = without_types(signature.substr(0, bar));
    if (one.size() > longest.size()) longest = one;
    if (bar == std::string_view::npos) return longest;
    signature.remove_prefix(bar + 3);
  }
}

std::string signature_of(const std::string& spelling) {
  if (const OpInfo* op = find_op(spelling)) return short_signature(op->signature);
  constexpr std::string_view kLayers = "torch.nn.";
  if (!spelling.starts_with(kLayers)) return "";
  const LayerInfo* layer = find_layer(spelling.substr(kLayers.size()));
  return layer ? short_signature(layer->signature) : "";
}

// "(input, dim0, dim1)" -> "(dim0, dim1)": the first one stands before the dot.
std::string without_first(const std::string& signature) {
  if (signature.empty()) return signature;
  const std::size_t comma = signature.find(", ");
  return comma == std::string::npos ? "()" : "(" + signature.substr(comma + 2);
}

// Modules by the names under which lessons import them, and where the table of ops has their members.
struct ModuleName {
  std::string_view name, prefix;
};
constexpr ModuleName kModules[] = {{"torch", "torch."},
                                   {"nn", "torch.nn."},
                                   {"F", "torch.nn.functional."},
                                   {"math", "math."},
                                   {"torch.nn", "torch.nn."},
                                   {"torch.nn.functional", "torch.nn.functional."},
                                   {"nn.functional", "torch.nn.functional."}};

/// What is bound where the learner stands.
class Names {
 public:
  explicit Names(const State& state) : state_(state) {
    if (!state.run || !state.replays || state.run->order.empty()) return;
    point_.step = state.run->order[std::min(state.at, state.run->order.size() - 1)];
    point_.before = state.stage == Stage::Question;
    point_.typed = state.typed;
    bound_ = state.replays->names(point_);
  }
  const std::vector<NameInScope>& bound() const { return bound_; }
  bool has_module(std::string_view name) const { return !members(std::string(name)).empty(); }
  std::vector<std::string> members(const std::string& object) const {
    return state_.replays ? state_.replays->members(point_, object) : std::vector<std::string>();
  }
  bool is_tensor(std::string_view name) const {
    return std::any_of(bound_.begin(), bound_.end(),
                       [&](const NameInScope& row) { return row.name == name && row.value.is_tensor; });
  }

 private:
  const State& state_;
  Point point_;
  std::vector<NameInScope> bound_;
};

// What stands behind the dot of `object`: names, or nothing for another expression, which is taken for a tensor.
std::vector<Completion> members(const Names& names, const std::string& object) {
  std::string prefix;
  for (const ModuleName& row : kModules) {
    if (row.name == object) prefix = row.prefix;
  }
  if (object.empty() || names.is_tensor(object)) prefix = "Tensor.";
  const bool is_method = prefix == "Tensor.";
  std::vector<Completion> rows;
  for (const std::string& name : object.empty() ? names_under(prefix) : names.members(object)) {
    const std::string signature = prefix.empty() ? "" : signature_of(prefix + name);
    rows.push_back({name, is_method ? without_first(signature) : signature});
  }
  return rows;
}

// "[batch_size 3, query_len 5]", or the beginning of what it is.
std::string note_of(const RecordedValue& value) {
  if (!value.is_tensor) return value.text;
  std::vector<std::string> axes;
  for (std::size_t i = 0; i < value.shape.size(); ++i) {
    const std::string name = i < value.axes.size() ? value.axes[i].name : "";
    axes.push_back((name.empty() ? "" : name + " ") + std::to_string(value.shape[i]));
  }
  return "[" + join(axes, ", ") + "]";
}

std::vector<Completion> plain_names(const Names& names) {
  std::vector<Completion> rows;
  for (const NameInScope& name : names.bound()) rows.push_back({name.name, note_of(name.value)});
  for (const ModuleName& row : kModules) {
    const bool is_word = row.name.find('.') == std::string_view::npos;
    if (is_word && names.has_module(row.name)) rows.push_back({std::string(row.name), ""});
  }
  for (const std::string_view name : kPythonWords) rows.push_back({std::string(name), ""});
  return rows;
}

std::vector<Completion> commands(std::string_view word) {
  std::vector<Completion> rows;
  for (const KeyCommand& row : session_commands()) {
    if (row.name.starts_with(word)) rows.push_back({":" + std::string(row.name), say(row.help)});
  }
  return rows;
}

// Of `help`: commands, and the glossary's words.
std::vector<Completion> help_words(std::string_view begun) {
  std::vector<Completion> rows;
  for (const KeyCommand& row : session_commands()) rows.push_back({std::string(row.name), say(row.help)});
  for (const GlossaryEntry& entry : glossary()) {
    for (const std::string& name : entry.names) rows.push_back({name, ""});
  }
  std::erase_if(rows, [&](const Completion& row) { return !row.text.starts_with(begun); });
  return rows;
}

// The object before the dot at `dot`, when it is a name or names with dots; "" for any other expression.
std::string object_before(std::string_view text, std::size_t dot) {
  std::size_t begin = dot;
  while (begin > 0 && (continues_name(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  return std::string(text.substr(begin, dot - begin));
}

// Each once: the first of equal ones.
std::vector<Completion> sorted(std::vector<Completion> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Completion& a, const Completion& b) { return a.text < b.text; });
  rows.erase(
      std::unique(rows.begin(), rows.end(), [](const Completion& a, const Completion& b) { return a.text == b.text; }),
      rows.end());
  return rows;
}

}  // namespace

std::vector<Completion> completions(const State& state, std::string_view line, std::size_t cursor,
                                    std::size_t& word_begin) {
  const std::string_view text = line.substr(0, std::min(cursor, line.size()));
  word_begin = text.size();
  if (text.starts_with(":")) {
    if (text.starts_with(kHelp)) {
      word_begin = kHelp.size();
      return sorted(help_words(text.substr(word_begin)));
    }
    if (text.find(' ') != std::string_view::npos) return {};
    word_begin = 0;
    return sorted(commands(text.substr(1)));
  }
  if (is_in_string(text)) return {};
  while (word_begin > 0 && continues_name(text[word_begin - 1])) --word_begin;
  const std::string_view word = text.substr(word_begin);
  const bool is_member = word_begin > 0 && text[word_begin - 1] == '.';
  if (!is_member && word.empty()) return {};
  const Names names(state);
  std::vector<Completion> rows = is_member ? members(names, object_before(text, word_begin - 1)) : plain_names(names);
  std::erase_if(rows, [&](const Completion& row) {
    return !row.text.starts_with(word) || (row.text[0] == '_' && !word.starts_with("_"));
  });
  return sorted(std::move(rows));
}

bool wants_more(std::string_view code) { return is_incomplete(code); }

}  // namespace attn
