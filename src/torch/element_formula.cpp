#include "torch/element_formula.h"

#include <unordered_map>

#include "base/words.h"

namespace attn {
namespace {

struct Row {
  std::string_view names;  // of ops, blank-separated
  std::string_view formula;
};

constexpr Row kFormulas[] = {
    // ---- arithmetic ----
    {"add", "bool: {input} or {other} || alpha!: {input} + {alpha} * {other} || {input} + {other}"},
    {"sub", "alpha!: {input} - {alpha} * {other} || {input} - {other}"},
    {"mul", "{input} * {other}"},
    {"div",
     "rounding_mode='floor': {input} // {other} || rounding_mode='trunc': trunc({input} / {other}) || "
     "{input} / {other}"},
    {"true_divide", "{input} / {other}"},
    {"floor_divide", "{input} // {other}"},
    {"remainder", "{input} % {other}"},
    {"fmod", "fmod({input}, {other})"},
    {"pow", "{input} ** {exponent}"},
    {"maximum", "max({input}, {other})"},
    {"minimum", "min({input}, {other})"},
    {"addcmul",
     "whole: {input} + int({value}) * {tensor1} * {tensor2} || value!: {input} + {value} * {tensor1} * {tensor2} || "
     "{input} + {tensor1} * {tensor2}"},
    {"addcdiv", "value!: {input} + {value} * {tensor1} / {tensor2} || {input} + {tensor1} / {tensor2}"},
    {"lerp", "{input} + {weight} * ({end} - {input})"},
    {"logaddexp", "max({input}, {other}) + log(1 + exp(-abs({input} - {other})))"},
    {"neg", "-{input}"},
    {"abs", "abs({input})"},
    {"square", "{input} ** 2"},
    {"reciprocal", "1 / {input}"},
    {"rsqrt", "1 / sqrt({input})"},
    {"exp2", "2 ** {input}"},
    {"frac", "{input} - trunc({input})"},
    {"sign sgn", "({input} > 0) - ({input} < 0)"},
    {"round", "decimals!: round({input}, {decimals}) || round({input})"},
    {"atan2", "atan2({input}, {other})"},
    {"logit",
     "eps!: log(min(max({input}, {eps}), 1 - {eps}) / (1 - min(max({input}, {eps}), 1 - {eps}))) || "
     "log({input} / (1 - {input}))"},
    {"deg2rad", "{input} * 0.017453292519943295"},
    {"rad2deg", "{input} / 0.017453292519943295"},
    {"sinh", "(exp({input}) - exp(-{input})) / 2"},
    {"cosh", "(exp({input}) + exp(-{input})) / 2"},
    {"clamp", "min(max({input}, {min}), {max}) || max({input}, {min}) || min({input}, {max})"},
    {"clamp_min", "max({input}, {min})"},
    {"clamp_max", "min({input}, {max})"},

    // ---- activations ----
    {"sigmoid", "1 / (1 + exp(-{input}))"},
    {"relu", "max(0, {input})"},
    {"relu6", "min(max(0, {input}), 6)"},
    {"hardtanh", "min(max({input}, {min_val}), {max_val})"},
    {"leaky_relu", "{input} if {input} > 0 else {negative_slope} * {input}"},
    {"elu", "{input} if {input} > 0 else {alpha} * (exp({input}) - 1)"},
    {"selu",
     "1.0507009873554805 * {input} if {input} > 0 else 1.0507009873554805 * 1.6732632423543772 * (exp({input}) - 1)"},
    {"gelu",
     "approximate='tanh': {input} / 2 * (1 + tanh(0.7978845608028654 * ({input} + 0.044715 * {input} ** 3))) || "
     "{input} * (1 + erf({input} / sqrt(2))) / 2"},
    {"silu", "{input} / (1 + exp(-{input}))"},
    {"mish", "{input} * tanh(log(1 + exp({input})))"},
    {"logsigmoid", "-log(1 + exp(-{input}))"},
    {"softplus", "{input} if {input} * {beta} > {threshold} else log(1 + exp({beta} * {input})) / {beta}"},

    // ---- choosing and comparing ----
    {"masked_fill", "{value} if {mask} else {input}"},
    {"where", "{input} if {condition} else {other}"},
    {"eq", "{input} == {other}"},
    {"ne", "{input} != {other}"},
    {"lt", "{input} < {other}"},
    {"le", "{input} <= {other}"},
    {"gt", "{input} > {other}"},
    {"ge", "{input} >= {other}"},
    {"bitwise_and", "{input} & {other}"},
    {"bitwise_or", "{input} | {other}"},
    {"bitwise_xor", "{input} ^ {other}"},
    {"bitwise_left_shift", "{input} << {other}"},
    {"bitwise_right_shift", "{input} >> {other}"},
    {"bitwise_not", "bool: not {input} || ~{input}"},
    {"isclose",
     "rtol!: {input} == {other} or abs({input} - {other}) <= {atol} + {rtol} * abs({other}) || "
     "atol!: {input} == {other} or abs({input} - {other}) <= {atol} + 1e-05 * abs({other}) || "
     "{input} == {other} or abs({input} - {other}) <= 1e-08 + 1e-05 * abs({other})"},
    {"logical_and", "bool({input}) and bool({other})"},
    {"logical_or", "bool({input}) or bool({other})"},
    {"logical_xor", "bool({input}) != bool({other})"},
    {"logical_not", "not {input}"},

    // ---- converting and writing ----
    {"float double long bool half bfloat16 byte char short int to type type_as cpu positive detach_ requires_grad_",
     "bool: {input} != 0 || whole: int({input}) || {input}"},
    {"copy_", "bool: {other} != 0 || whole: int({other}) || {other}"},
    {"fill_", "bool: {value} != 0 || whole: int({value}) || {value}"},
    {"zero_", "0"},
    {"one_hot", "1 if {input.lead} == {i} else 0"},
    {"tril triu fill_diagonal_", "@numbers"},
    {"dropout", "zero: {input} * 0 || {input} / (1 - {p})"},

    // ---- folding axes ----
    {"sum", "$+ {e}$"},
    {"mean", "($+ {e}$) / {n}"},
    {"prod", "$* {e}$"},
    {"var",
     "unbiased=False: ($+ ({e} - {average}) ** 2$) / {n} || correction=0: ($+ ({e} - {average}) ** 2$) / {n} || "
     "($+ ({e} - {average}) ** 2$) / ({n} - 1)"},
    {"std",
     "unbiased=False: sqrt(($+ ({e} - {average}) ** 2$) / {n}) || "
     "correction=0: sqrt(($+ ({e} - {average}) ** 2$) / {n}) || sqrt(($+ ({e} - {average}) ** 2$) / ({n} - 1))"},
    {"var_mean",
     "unbiased=False: ($+ ({e} - {average}) ** 2$) / {n} || correction=0: ($+ ({e} - {average}) ** 2$) / {n} || "
     "($+ ({e} - {average}) ** 2$) / ({n} - 1) ;; ($+ {e}$) / {n}"},
    {"std_mean",
     "unbiased=False: sqrt(($+ ({e} - {average}) ** 2$) / {n}) || "
     "correction=0: sqrt(($+ ({e} - {average}) ** 2$) / {n}) || sqrt(($+ ({e} - {average}) ** 2$) / ({n} - 1)) ;; "
     "($+ {e}$) / {n}"},
    {"max", "max({input}, {other}) || max($, {e}$) ;; [$, {e}$].index({largest})"},
    {"min", "min({input}, {other}) || min($, {e}$) ;; [$, {e}$].index({smallest})"},
    {"amax", "max($, {e}$)"},
    {"amin", "min($, {e}$)"},
    {"aminmax", "min($, {e}$) ;; max($, {e}$)"},
    {"argmax", "[$, {e}$].index({largest})"},
    {"argmin", "[$, {e}$].index({smallest})"},
    {"any", "any([$, {e}$])"},
    {"all", "all([$, {e}$])"},
    {"count_nonzero", "$+ ({e} != 0)$"},
    {"cumsum", "$+ {upto}$"},
    {"cumprod", "$* {upto}$"},
    {"softmax", "exp({x} - {largest}) / ($+ exp({e} - {largest})$)"},
    {"log_softmax", "{x} - {largest} - log($+ exp({e} - {largest})$)"},
    {"logsumexp", "infinite: {largest} || {largest} + log($+ exp({e} - {largest})$)"},
    {"norm",
     "p=0: $+ ({e} != 0)$ || p=1: $+ abs({e})$ || p=inf: max($, abs({e})$) || p=-inf: min($, abs({e})$) || "
     "p=2: sqrt($+ {e} ** 2$) || ($+ abs({e}) ** {p}$) ** (1 / {p}) || ord=0: $+ ({e} != 0)$ || "
     "ord=1: $+ abs({e})$ || ord=inf: max($, abs({e})$) || ord=-inf: min($, abs({e})$) || ord=2: sqrt($+ {e} ** 2$) || "
     "($+ abs({e}) ** {ord}$) ** (1 / {ord}) || sqrt($+ {e} ** 2$)"},
    {"vector_norm",
     "ord=0: $+ ({e} != 0)$ || ord=1: $+ abs({e})$ || ord=inf: max($, abs({e})$) || ord=-inf: min($, abs({e})$) || "
     "ord!: ($+ abs({e}) ** {ord}$) ** (1 / {ord}) || "
     "sqrt($+ {e} ** 2$)"},
    {"bincount", "$+ ({e} == {i}) * {weights.e}$ || [$, {e}$].count({i})"},
    {"trace", "@sum"},

    // ---- putting in order ----
    {"sort",
     "descending=True: sorted([$, {e}$], reverse=True)[{i}] || sorted([$, {e}$])[{i}] ;; "
     "first: [$, {e}$].index({picked}) || [i for i, e in enumerate([$, {e}$]) if e == {picked}][{nth}]"},
    {"msort", "@axis0 sorted([$, {e}$])[{i}]"},
    {"argsort", "first: [$, {e}$].index({picked}) || [i for i, e in enumerate([$, {e}$]) if e == {picked}][{nth}]"},
    {"topk",
     "largest=False: sorted([$, {e}$])[{i}] || sorted([$, {e}$], reverse=True)[{i}] ;; "
     "first: [$, {e}$].index({picked}) || [i for i, e in enumerate([$, {e}$]) if e == {picked}][{nth}]"},
    {"median",
     "sorted([$, {e}$])[{middle}] ;; first: [$, {e}$].index({picked}) || [i for i, e in enumerate([$, {e}$]) if e == "
     "{picked}][{nth}]"},
    {"kthvalue",
     "sorted([$, {e}$])[{k} - 1] ;; first: [$, {e}$].index({picked}) || [i for i, e in enumerate([$, {e}$]) if e == "
     "{picked}][{nth}]"},
    {"unique",
     "dim!: @none || sorted(set([$, {e}$]))[{i}] ;; "
     "return_inverse=True: sorted(set([$, {e}$])).index({x}) || [$, {e}$].count(sorted(set([$, {e}$]))[{i}]) ;; "
     "[$, {e}$].count(sorted(set([$, {e}$]))[{i}])"},
    {"nonzero argwhere where_places",
     "[i for i, e in enumerate([$, {e}$]) if e != 0][{nth}] // {stride} % {size} ;; ..."},

    // ---- looking up and adding at places ----
    {"embedding", "@from weight"},
    {"scatter", "reduce='add': @add src || reduce='multiply': @multiply src || @numbers"},
    {"scatter_add", "@add src"},
    {"index_add", "@add source alpha"},

    // ---- made from numbers ----
    {"arange", "{start} + {i} * {step} || {start} + {i} || {i}"},
    {"eye", "1 if {i0} == {i1} else 0"},
    {"full full_like new_full", "bool: {fill_value} != 0 || whole: int({fill_value}) || {fill_value}"},
};

// The page asks for every number of a lesson.
std::string_view formula_of(std::string_view name) {
  static const std::unordered_map<std::string_view, std::string_view> formulas = [] {
    std::unordered_map<std::string_view, std::string_view> by_name;
    for (const Row& row : kFormulas)
      for_each_word(row.names, [&](std::string_view word) { by_name.emplace(word, row.formula); });
    return by_name;
  }();
  const auto found = formulas.find(name);
  return found == formulas.end() ? std::string_view() : found->second;
}

}  // namespace

std::string_view element_formula(const OpInfo& op) {
  const std::string_view formula = formula_of(op.name);
  return formula.empty() && op.name.ends_with('_') ? formula_of(op.name.substr(0, op.name.size() - 1)) : formula;
}

std::string_view formula_of_output(std::string_view formula, std::size_t output) {
  for (; output > 0; --output) {
    const std::size_t next = formula.find(" ;; ");
    if (next == std::string_view::npos) return {};
    if (formula.substr(next + 4) == "...") break;
    formula.remove_prefix(next + 4);
  }
  return formula.substr(0, formula.find(" ;; "));
}

}  // namespace attn
