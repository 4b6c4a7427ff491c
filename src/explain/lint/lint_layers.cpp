// Which layer gets what, and along which axis: the batch as a sequence, one layer for two tasks.
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "base/text.h"
#include "base/words.h"
#include "explain/lint/lint_rules.h"
#include "explain/wording.h"
#include "syntax/snippet.h"

namespace attn {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 7> kBatches = {"B", "N", "batch", "batch_size", "bsz", "bs", "n_batch"};
constexpr std::array<std::string_view, 14> kLengths = {"T",      "L",       "S",       "seq",       "seq_len",
                                                       "length", "src_len", "tgt_len", "query_len", "key_len",
                                                       "time",   "n_words", "max_len", "seq_length"};

bool is_batch_name(const RecordedValue& value, std::size_t axis) {
  return axis < value.axes.size() && is_one_of(value.axes[axis].name, kBatches);
}

bool is_length_name(const RecordedValue& value, std::size_t axis) {
  return axis < value.axes.size() && is_one_of(value.axes[axis].name, kLengths);
}

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

/// Whether queries of one length meet keys of another, with an equal axis 1, which is the batch then.
bool is_length_in_front(const Flow& flow) {
  return std::any_of(flow.ops().begin(), flow.ops().end(), [&](const Op* op) {
    const ValueId query = input_named(*op, "query"), key = input_named(*op, "key");
    if (plain_name(*op) != "multi_head_attention" || query < 0 || key < 0) return false;
    const Shape &q = flow.value(query).shape, &k = flow.value(key).shape;
    return q.size() == 3 && k.size() == 3 && q[0] != k[0] && q[1] == k[1];
  });
}

/// Whether the program writes a length and then a batch, as in "# T, B, d" or torch.rand(S, N, E), and nowhere a batch
/// and then a length.
bool writes_length_in_front(const Trace& trace) {
  bool is_in_front = false, is_behind = false;
  for (const Source& source : trace.sources) {
    const std::string_view text = source.text;
    for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',', comma + 1)) {
      std::size_t begin = comma, end = text.find_first_not_of(' ', comma + 1);
      const std::size_t second = std::min(end, text.size());
      while (begin > 0 && is_word(text[begin - 1])) --begin;
      for (end = second; end < text.size() && is_word(text[end]);) ++end;
      const std::string_view a = text.substr(begin, comma - begin), b = text.substr(second, end - second);
      is_in_front = is_in_front || (is_one_of(a, kLengths) && is_one_of(b, kBatches));
      is_behind = is_behind || (is_one_of(a, kBatches) && is_one_of(b, kLengths));
    }
  }
  return is_in_front && !is_behind;
}

bool is_layer_of_sequences(const Op& op) {
  const std::string_view name = plain_name(op);
  return name == "multi_head_attention" || name == "lstm" || name == "gru" || name == "rnn" || name == "rnn_tanh" ||
         name == "rnn_relu";
}

/// Whether something on the way to a value says that its first axis is the sequence: axes that were turned, positions
/// with one row for each place of axis 0, or a layer like this one, of which the same was said already.
bool is_turned(const Flow& flow, ValueId id, int depth = 16) {
  const Op* op = flow.maker(id);
  if (!op || depth == 0) return false;
  const std::string_view name = plain_name(*op);
  if (name == "transpose" || name == "permute" || name == "t" || name == "T" || name == "swapaxes" ||
      name == "movedim" || name == "stack" || is_layer_of_sequences(*op))
    return true;
  const Shape& shape = flow.value(id).shape;
  for (const OpOperand& input : op->inputs) {
    const RecordedValue& value = flow.value(input.value);
    if (name == "add" && shape.size() == 3 && value.shape.size() == 3 && value.shape[1] == 1 && shape[1] > 1 &&
        value.shape[0] == shape[0])
      return true;
    if (input.value != id && value.is_tensor && !value.is_parameter && is_turned(flow, input.value, depth - 1))
      return true;
  }
  return false;
}

/// Whether what comes out is used with the sequence first: turned, or asked for its last step by out[-1].
bool is_turned_after(const Flow& flow, const Op& op) {
  const ValueId out = op.outputs.empty() ? -1 : op.outputs[0];
  if (out < 0) return false;
  const Shape& shape = flow.value(out).shape;
  return std::any_of(flow.users(out).begin(), flow.users(out).end(), [&](const Op* user) {
    const std::string_view name = plain_name(*user);
    if (user->outputs.empty()) return false;
    const Shape& after = flow.value(user->outputs[0]).shape;
    if (name == "transpose" || name == "permute" || name == "swapaxes")
      return after.size() == 3 && after[0] != shape[0];
    return name == "index" && after.size() == 2 && shape.size() == 3 && after[0] == shape[1] && shape[0] != shape[1];
  });
}

/// batch_first=True in every call that makes such a layer, all at once.
LineEdits with_batch_first(const Trace& trace) {
  LineEdits edits;
  for (std::uint32_t number = 0; number < trace.sources.size(); ++number) {
    const std::string& text = trace.sources[number].text;
    for (const std::string_view layer : {"MultiheadAttention(", "TransformerEncoderLayer(", "TransformerDecoderLayer(",
                                         "Transformer(", "LSTM(", "GRU(", "RNN("}) {
      for (std::size_t at = text.find(layer); at != std::string::npos; at = text.find(layer, at + 1)) {
        int depth = 0;
        std::size_t end = at;
        for (; end < text.size(); ++end) {
          if (text[end] == '(') ++depth;
          if (text[end] == ')' && --depth == 0) break;
        }
        const bool is_whole = at > 0 && (text[at - 1] == '.' || text[at - 1] == ' ' || text[at - 1] == '=');
        if (!is_whole || end == text.size() || text.substr(at, end - at).find("batch_first") != std::string::npos)
          continue;
        const auto place = static_cast<std::uint32_t>(end);
        edits.push_back({{number, place, place}, ", batch_first=True"});
      }
    }
  }
  return edits;
}

bool is_same(const Made& a, const Made& b) {
  return a.op && b.op && a.op != b.op && a.input == b.input && a.weight == b.weight;
}

std::size_t times_named(const std::vector<std::string>& texts, std::string_view name) {
  std::size_t count = 0;
  for (const std::string& text : texts) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end]))) continue;
      ++count;
    }
  }
  return count;
}

bool asks_for_all_layers(const Trace& trace) {
  return std::any_of(trace.sources.begin(), trace.sources.end(), [](const Source& source) {
    for (const std::string_view asked :
         {"getattr", "children()", "modules()", "_modules", "__dict__", "load_state_dict"})
      if (source.text.find(asked) != std::string::npos) return true;
    return false;
  });
}

/// Layers that a class makes and that nothing in the program names again: "self.k_proj", with the step that makes it.
std::vector<std::pair<std::string, StepId>> uncalled(const Trace& trace) {
  std::vector<std::pair<std::string, StepId>> out;
  if (asks_for_all_layers(trace)) return out;
  std::set<std::string> used;  // classes with a method that ran
  for (const Step& step : trace.steps)
    if (const std::size_t dot = step.function.find('.');
        dot != std::string::npos && !step.function.ends_with("__init__"))
      used.insert(step.function.substr(0, dot));
  std::vector<std::string> texts;  // without comments
  for (const Source& source : trace.sources) texts.push_back(on_one_line(source.text));
  std::map<std::string, std::size_t> named;  // a class may be made hundreds of times
  std::set<std::string> told;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    const std::size_t dot = step.function.find('.');
    if (dot == std::string::npos || !used.contains(step.function.substr(0, dot))) continue;
    for (const Binding& binding : step.bindings) {
      if (!binding.target.starts_with("self.") || binding.value < 0) continue;
      const RecordedValue& value = trace.value(binding.value);
      const bool is_layer = value.type == "Module" && (value.text.find("_features=") != std::string::npos ||
                                                       value.text.find("elementwise_affine=") != std::string::npos);
      if (!is_layer) continue;
      const auto [known, is_new] = named.try_emplace(binding.target, 0);
      if (is_new) known->second = times_named(texts, std::string_view(binding.target).substr(5));
      if (known->second != 1) continue;
      if (told.insert(binding.target).second) out.emplace_back(binding.target, static_cast<StepId>(i));
    }
  }
  return out;
}

/// A layer without batch_first that gets [batch, length, width]. Sure where the axes have names; else a question.
std::optional<Finding> batch_as_sequence(const Flow& flow, const Op& op) {
  if (!is_layer_of_sequences(op) || attribute(op, "batch_first") == "True") return std::nullopt;
  const bool is_attention = plain_name(op) == "multi_head_attention";
  const ValueId id = input_named(op, is_attention ? "query" : "input");
  if (id < 0) return std::nullopt;
  const RecordedValue& input = flow.value(id);
  if (input.shape.size() != 3 || input.shape[0] < 2 || input.shape[1] < 2 || is_turned(flow, id) ||
      is_turned_after(flow, op))
    return std::nullopt;
  if (is_length_name(input, 0) || is_batch_name(input, 1)) return std::nullopt;
  const ValueId key = input_named(op, "key"), mask = input_named(op, "attn_mask");
  if (key >= 0 && flow.value(key).shape[0] != input.shape[0]) return std::nullopt;
  if (mask >= 0 && input.shape[0] != input.shape[1]) return std::nullopt;  // it would not have fitted
  const bool is_sure = is_batch_name(input, 0) || is_length_name(input, 1);
  if (!is_sure && (is_length_in_front(flow) || writes_length_in_front(flow.trace()))) return std::nullopt;
  const std::string length = std::to_string(input.shape[0]), batch = std::to_string(input.shape[1]);
  Finding finding =
      found(flow, "batch", op,
            {{"shape", axes_text(input).substr(axes_text(input).find('['))}, {"length", length}, {"batch", batch}}, {},
            is_attention ? "" : ".recurrent");
  finding.is_remark = !is_sure;
  if (LineEdits edits = with_batch_first(flow.trace()); !edits.empty()) finding.tries.push_back(std::move(edits));
  return finding;
}

/// Queries and keys, or keys and values, by one layer from one input: they are the same numbers.
std::optional<Finding> layer_in_two_roles(const Flow& flow, const Op& op) {
  const auto axis = softmax_axis(flow, op);
  const auto scores = axis ? flow.scores_of(softmax_input(flow, op)) : std::nullopt;
  const auto uses = axis ? flow.products_with(op.outputs[0], *axis) : std::vector<Flow::Use>();
  if (!scores || uses.empty()) return std::nullopt;
  const Made query = made_by_layer(flow, scores->product.left), key = made_by_layer(flow, scores->product.right);
  const std::vector<OpOperand>& inputs = uses[0].op->inputs;
  const Made value = made_by_layer(flow, inputs[inputs[0].value == uses[0].operand ? 1 : 0].value);
  const auto pair = is_same(query, key)     ? std::pair{query, key}
                    : is_same(key, value)   ? std::pair{key, value}
                    : is_same(query, value) ? std::pair{query, value}
                                            : std::pair<Made, Made>{};
  if (!pair.first.op) return std::nullopt;
  const Op& second = pair.second.op < pair.first.op ? *pair.first.op : *pair.second.op;
  const auto idle = uncalled(flow.trace());
  const std::string roles = say(is_same(query, key)   ? "lint.roles.query_key"
                                : is_same(key, value) ? "lint.roles.key_value"
                                                      : "lint.roles.query_value");
  const std::string_view code = code_of(flow, second);
  const std::string layer(code.substr(0, code.find('(')));
  if (idle.empty()) return remarked(flow, "roles", second, {{"roles", roles}, {"layer", layer}}, {});
  Finding finding = found(flow, "roles", second, {{"roles", roles}, {"layer", layer}, {"idle", idle[0].first}},
                          {{"idle", idle[0].first}}, ".idle");
  for (const auto& [name, step] : idle) {
    Span span = second.span;
    span.end = span.begin + static_cast<std::uint32_t>(layer.size());
    finding.tries.push_back({{span, name}});
  }
  return finding;
}

void uncalled_layers(const Flow& flow, std::vector<Finding>& findings) {
  const Trace& trace = flow.trace();
  if (trace.outcome != RunOutcome::Fine) return;
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& told) { return told.rule == "roles"; })) return;
  for (const auto& [name, step] : uncalled(trace)) {
    Finding finding{"uncalled", -1, say("lint.uncalled", {{"layer", name}}), say("lint.uncalled.right")};
    finding.step = step;
    finding.is_remark = true;
    findings.push_back(std::move(finding));
  }
}

/// nn.ModuleList([layer] * 6): one layer, six times.
void one_layer_many_times(const Flow& flow, std::vector<Finding>& findings) {
  const Trace& trace = flow.trace();
  std::set<std::uint32_t> told;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Span span = trace.steps[i].span;
    const std::string_view code = trace.sources[span.source].slice(span);
    const std::size_t list = std::min(code.find("ModuleList(["), code.find("Sequential(*["));
    const std::size_t end = list == std::string_view::npos ? list : code.find("] *", list);
    const bool is_deeper = code.find('\n') < end;  // the body of a class or a loop has steps of its own
    if (end == std::string_view::npos || is_deeper || !told.insert(span.begin).second) continue;
    const std::size_t begin = code.find('[', list) + 1;
    const std::string layer(code.substr(begin, end - begin));
    const std::string_view times = trim(code.substr(end + 3, code.find(')', end) - end - 3));
    if (layer.find("for ") != std::string::npos || layer.find('[') != std::string::npos) continue;
    Finding finding{"copies", -1, say("lint.copies", {{"layer", layer}}), say("lint.copies.right", {{"layer", layer}})};
    finding.step = static_cast<StepId>(i);
    finding.is_remark = true;
    const auto from = static_cast<std::uint32_t>(span.begin + begin),
               to = static_cast<std::uint32_t>(span.begin + static_cast<std::size_t>(times.data() - code.data()) +
                                               times.size());
    for (const std::string& made : {layer, "copy.deepcopy(" + layer + ")"})
      if (made.find('(') != std::string::npos)
        finding.tries.push_back({{{span.source, from, to}, made + " for _ in range(" + std::string(times) + ")]"}});
    findings.push_back(std::move(finding));
  }
}

/// An axis of texts lined up with an axis of words: that they are of one size is chance.
std::optional<Finding> batch_meets_length(const Flow& flow, const Op& op) {
  constexpr std::array<std::string_view, 6> kMeeting = {"add", "sub", "mul", "div", "masked_fill", "where"};
  if (!is_one_of(plain_name(op), kMeeting) || op.inputs.size() < 2) return std::nullopt;
  for (std::size_t i = 1; i < op.inputs.size(); ++i) {
    const RecordedValue &a = flow.value(op.inputs[0].value), &b = flow.value(op.inputs[i].value);
    for (std::size_t right = 1; right <= std::min(a.shape.size(), b.shape.size()); ++right) {
      const std::size_t p = a.shape.size() - right, q = b.shape.size() - right;
      const bool meets = (is_batch_name(a, p) && is_length_name(b, q)) || (is_length_name(a, p) && is_batch_name(b, q));
      if (!meets || a.shape[p] < 2 || a.shape[p] != b.shape[q]) continue;
      Finding finding = found(flow, "meet", op, {{"left", axis_with_size(a, p)}, {"right", axis_with_size(b, q)}}, {});
      if (const auto arguments = arguments_of(flow, op); b.shape.size() == 2 && !arguments.empty()) {
        std::string mask(flow.trace().sources[op.span.source].slice(arguments[0]));
        std::size_t end = 0;
        while (end < mask.size() && is_word(mask[end])) ++end;
        for (const char* axes : {"[:, None, :]", "[:, None, None, :]"}) {
          finding.tries.push_back({{arguments[0], mask.substr(0, end) + axes + mask.substr(end)}});
        }
      }
      return finding;
    }
  }
  return std::nullopt;
}

/// The op that made a value; a dropout and moves are passed over.
const Op* maker_before_dropout(const Flow& flow, ValueId id) {
  const Op* op = flow.maker(unmoved(flow, id));
  while (op && plain_name(*op) == "dropout") op = flow.maker(unmoved(flow, op->inputs[0].value));
  return op;
}

/// Whether a value is the result of attention, before or after the output projection.
bool is_of_attention(const Flow& flow, ValueId id) {
  const Op* op = maker_before_dropout(flow, id);
  while (op && has_word("linear cat", plain_name(*op))) op = maker_before_dropout(flow, op->inputs[0].value);
  if (!op) return false;
  const std::string_view name = plain_name(*op);
  if (name == "multi_head_attention" || name == "scaled_dot_product_attention") return true;
  return name == "matmul" && std::any_of(op->inputs.begin(), op->inputs.end(), [&](const OpOperand& input) {
           const Op* weights = maker_before_dropout(flow, input.value);
           return weights && plain_name(*weights) == "softmax";
         });
}

/// Whether a value goes into a sum, directly or after a norm or a factor.
bool is_added_to(const Flow& flow, ValueId id, int depth = 4) {
  const auto& users = flow.users(id);
  return depth > 0 && std::any_of(users.begin(), users.end(), [&](const Op* user) {
           const std::string_view name = plain_name(*user);
           if (has_word("add sub lerp cat stack", name)) return true;
           return (has_word("dropout layer_norm mul", name) || is_move(*user)) && !user->outputs.empty() &&
                  is_added_to(flow, user->outputs[0], depth - 1);
         });
}

/// x = norm(x + attention(x)), and then x = norm(feed_forward(x)): the second sum was forgotten.
std::optional<Finding> feed_forward_without_sum(const Flow& flow, const Op& op) {
  if (plain_name(op) != "linear" || op.outputs.empty() || flow.users(op.outputs[0]).empty()) return std::nullopt;
  const Op* activation = maker_before_dropout(flow, op.inputs[0].value);
  if (!activation || !has_word("relu gelu silu elu leaky_relu tanh mish", plain_name(*activation))) return std::nullopt;
  const Op* first = maker_before_dropout(flow, activation->inputs[0].value);
  if (!first || plain_name(*first) != "linear") return std::nullopt;
  const OpOperand& given = first->inputs[0];
  if (flow.value(given.value).shape != flow.value(op.outputs[0]).shape) return std::nullopt;
  const Op* sum = flow.maker(unmoved(flow, given.value));
  const Op* const norm = sum && plain_name(*sum) == "layer_norm" ? sum : nullptr;
  if (norm) sum = maker_before_dropout(flow, norm->inputs[0].value);
  const bool goes_past_attention =
      sum && plain_name(*sum) == "add" && sum->inputs.size() == 2 &&
      (is_of_attention(flow, sum->inputs[0].value) || is_of_attention(flow, sum->inputs[1].value));
  if (!goes_past_attention || is_added_to(flow, op.outputs[0])) return std::nullopt;
  Finding finding = remarked(flow, "residual", op, {}, {});
  const bool is_in_front = norm && !norm->inputs[0].written.empty();
  const std::string& added = is_in_front ? norm->inputs[0].written : given.written;
  if (added.empty() || op.step < 0) return finding;
  const Trace& trace = flow.trace();
  const Step* const caller = calling_step(trace, op);
  if (!is_in_front || trace.step(norm->step).activation == trace.step(op.step).activation) {
    finding.tries.push_back({{op.span, added + " + " + std::string(code_of(flow, op))}});
  } else if (caller == &trace.step(norm->step)) {  // x = self.feed_forward(self.norm(x))
    const Source& source = trace.sources[caller->span.source];
    const std::size_t equals = source.slice(caller->span).find(" = ");
    if (equals == std::string_view::npos) return finding;
    const auto place = static_cast<std::uint32_t>(caller->span.begin + equals + 3);
    finding.tries.push_back({{{caller->span.source, place, place}, added + " + "}});
  }
  return finding;
}

}  // namespace

Rules layer_rules() {
  static constexpr RuleRow kRows[] = {
      {.at_op = batch_as_sequence},        {.at_op = layer_in_two_roles}, {.at_op = batch_meets_length},
      {.at_op = feed_forward_without_sum}, {.in_run = uncalled_layers},   {.in_run = one_layer_many_times},
  };
  return kRows;
}

}  // namespace attn
