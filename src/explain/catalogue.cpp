// English. Rows are grouped by what they are about; the order matters only between rows of one id.
#include "explain/catalogue.h"

#include <vector>

namespace attn {
namespace {

constexpr Sentence kSentences[] = {
    // ---- errors ----
    {"error.torch", "PyTorch says: {text}"},
    {"error.fix", "{code} gives {axes}."},
    {"error.fix.number", "{code} gives one number."},
    {"error.fix.runs", "{code} works."},

    // ---- rules of products ----
    {"rule.matmul.inner",
     "matmul needs the last axis of {left} ({left.-1}) to equal the second-last axis of {right} ({right.-2})."},
    {"rule.matmul.inner",
     "matmul needs the last axis of {left} ({left.-1}) to equal the axis of {right} ({right.-1})."},
    {"rule.matmul.inner", "matmul adds up over one shared axis: {left} on the left and {right} on the right differ."},
    {"rule.matmul.inner", "matmul needs the last axis on the left to equal the second-last axis on the right."},
    {"rule.matmul.scalar", "matmul needs operands with at least one axis; multiply by a single number with *."},
    {"rule.matmul.dtype", "both operands of a product must have the same type of numbers; convert one with .to(...)."},
    {"rule.matmul.dims", "this product takes only operands of a fixed number of axes; matmul takes any number."},
    {"rule.bmm.batch", "bmm needs the same number of matrices on both sides: {left.0} meets {right.0}."},
    {"rule.bmm.batch", "bmm needs the same number of matrices on both sides: {left} meets {right}."},
    {"rule.linear.inner", "this linear layer needs a last axis of {weight}, but {left} ends in {left.-1}."},
    {"rule.linear.inner", "this linear layer needs a last axis of {weight}, but it got {input}."},
    {"rule.linear.bias", "a linear layer needs as many numbers in its bias ({bias}) as it has outputs ({weight})."},
    {"rule.linear.dtype", "input, weight and bias must have the same type of numbers; convert one with .to(...)."},
    {"rule.linear.weight", "the weight of a linear layer is a matrix: [outputs, inputs]."},
    {"rule.layer_norm.shape",
     "a layer norm works on the last axes, and these are not of the sizes that it was made for."},

    // ---- rules of broadcasting and types ----
    {"rule.broadcast",
     "shapes are lined up from the right: at axis {axis}, {left.axis} of {left} meets {right.axis} of {right}. Two "
     "sizes "
     "fit if they are equal or one of them is 1."},
    {"rule.broadcast",
     "shapes are lined up from the right: {a} meets {b}. Two sizes fit if they are equal or one of them is 1."},
    {"rule.broadcast", "shapes are lined up from the right. Two sizes fit if they are equal or one of them is 1."},
    {"rule.masked_fill.mask", "masked_fill needs a mask of True and False; make one by comparing, such as mask == 0."},
    {"rule.masked_fill.value", "masked_fill fills with one number, but the value has {dims} axes."},
    {"rule.where.condition", "where needs a condition of True and False; make one by comparing, such as x > 0."},
    {"rule.assign.shape", "an in-place operation cannot change the shape of the tensor that it writes to."},
    {"rule.assign.overlap",
     "the tensor written to was stretched: along axis {axis} all {size} entries are one number in storage. Copy it "
     "with "
     ".clone() first."},
    {"rule.sub.bool", "True and False cannot be subtracted; use ~, ^ or logical_not()."},
    {"rule.neg.bool", "True and False have no minus sign; ~ turns a mask around."},
    {"rule.bitwise_not.dtype", "~ turns integers and masks around, not floats; compare first to get a mask."},
    {"rule.relu.dtype", "relu needs numbers, not True and False."},
    {"rule.clamp.bounds", "clamp needs a lower bound, an upper bound or both."},
    {"rule.divide.zero", "an integer was divided by 0."},
    {"rule.pow.negative", "an integer to the power of {exponent} would be a fraction; make the base a float."},
    {"rule.dtype.cast", "dropout scales what it keeps, so it needs floats; convert with .float()."},
    {"rule.dropout.p", "the probability of dropout lies between 0 and 1."},
    {"rule.div.rounding_mode", "a quotient is rounded by 'trunc', by 'floor' or not at all."},
    {"rule.fill.dims", "fill_ fills with one number."},
    {"rule.inplace.shape", "an operation in place cannot change the shape of the tensor that it writes to."},
    {"rule.inplace.type", "an operation in place cannot change the type of the tensor that it writes to."},
    {"rule.inplace.leaf", "a parameter that is learned may not be written to in place, except under torch.no_grad()."},
    {"rule.write.overlap", "the tensor written to was stretched: some of its entries are one number in storage."},
    {"rule.requires_grad.type", "only floats can have gradients."},
    {"rule.requires_grad.leaf", "a computed tensor keeps its gradient; .detach() gives one without."},
    {"rule.allclose.dtype", "allclose compares tensors of one type; convert one with .to(...)."},
    {"rule.allclose.tolerance", "a tolerance is 0 or more."},
    {"rule.reduce.empty", "there is no largest or smallest of no numbers."},
    {"rule.reduce.repeat", "axis {axis} was named twice."},

    // ---- rules of layout ----
    {"rule.view.numel",
     "a view must use each of the {numel} numbers of {left} exactly once; the sizes asked for do not multiply to "
     "{numel}."},
    {"rule.view.numel", "a view must use each of the {numel} numbers exactly once; the sizes asked for do not."},
    {"rule.view.numel",
     "a view must use each number exactly once; the sizes asked for do not multiply to their count."},
    {"rule.view.stride",
     "a view moves no numbers, and in the storage of {left} the axes to be merged do not lie one behind the other. "
     ".contiguous() or .reshape() copies them into order."},
    {"rule.view.stride",
     "a view moves no numbers, and in storage the axes to be merged do not lie one behind the other. .contiguous() or "
     ".reshape() copies them into order."},
    {"rule.view.two_unknown", "only one size may be -1: the others must say what is left for it."},
    {"rule.view.negative", "a size is 0 or more; only -1, once, may stand for what is left."},
    {"rule.view.ambiguous", "with an axis of size 0, any size would fit the -1; write it out."},
    {"rule.flatten.order", "flatten joins the axes from start_dim to end_dim, and {start_dim} lies behind {end_dim}."},
    {"rule.triangle.dims", "a triangle needs rows and columns: at least 2 axes."},
    {"rule.permute.count", "permute needs each axis of {left} exactly once: it has {dims} axes, {given} were given."},
    {"rule.permute.count", "permute needs each axis exactly once."},
    {"rule.permute.repeat", "permute needs each axis of {left} exactly once; one is named twice."},
    {"rule.permute.repeat", "permute needs each axis exactly once; one is named twice."},
    {"rule.t.dims",
     "t() exchanges the two axes of a matrix; {left} has more than 2. transpose(-2, -1) takes any number."},
    {"rule.t.dims", "t() exchanges the two axes of a matrix. transpose(-2, -1) takes any number of axes."},
    {"rule.expand.size", "expand stretches only axes of size 1; {left.axis} of {left} stays as it is."},
    {"rule.expand.size", "expand stretches only axes of size 1."},
    {"rule.expand.count", "expand needs at least as many sizes as there are axes."},
    {"rule.dim.range", "there is no axis {dim}: {left} has {dims} axes, 0 to {dims-1} (or {-dims} to -1)."},
    {"rule.dim.range", "there is no axis {dim}: the tensor has {dims} axes, 0 to {dims-1} (or {-dims} to -1)."},
    {"rule.narrow.range", "{length} entries from {start} on reach beyond an axis of size {size}."},
    {"rule.narrow.dims", "a tensor without axes has no range."},

    // ---- rules of joining, indexing, looking up ----
    {"rule.cat.size",
     "cat joins along one axis, all others must be equal: axis {axis} is {expected} in the first tensor and {got} in "
     "tensor {tensor} (counted from 0)."},
    {"rule.cat.dims", "cat needs tensors with equally many axes: the first has {first}, tensor {tensor} has {got}."},
    {"rule.cat.dims", "cat needs tensors with at least one axis; stack joins single numbers."},
    {"rule.cat.empty", "there is nothing to join: the list of tensors is empty."},
    {"rule.stack.size",
     "stack puts tensors side by side along a new axis: all must have the same shape, and tensor {tensor} (counted "
     "from "
     "0) has another."},
    {"rule.split.size", "a piece has 0 or more entries, and there must be something to split."},
    {"rule.split.sum", "the pieces have {sum} entries together, but the axis has {size}."},
    {"rule.chunk.count", "there must be at least one piece."},
    {"rule.unbind.dims", "a tensor without axes cannot be taken apart."},
    {"rule.repeat.count", "repeat needs a number for each axis: {given} were given for {dims}."},
    {"rule.index.range",
     "index {index} lies outside axis {axis} of {left} ({left.axis}): it goes from 0 to {size-1} (or {-size} to -1)."},
    {"rule.index.range",
     "index {index} lies outside an axis of size {size}: it goes from 0 to {size-1} (or {-size} to -1)."},
    {"rule.index.too_many", "{given} indices for a tensor with {dims} axes."},
    {"rule.index.mask", "a mask between brackets must have the sizes of the axes that it stands for."},
    {"rule.index.type", "between brackets go integers, slices, None, ..., and tensors of integers or True and False."},
    {"rule.index.step", "the step of a slice must be 1 or more; flip() turns an axis around."},
    {"rule.embedding.range", "id {id} has no row: the table has {rows} rows, 0 to {rows-1}."},
    {"rule.embedding.ids", "an embedding looks up whole numbers; convert the ids with .long()."},
    {"rule.embedding.table", "the table of an embedding is a matrix: [rows, width]."},
    {"rule.index.scalar", "a single number has no axis to index; .item() gives it as a Python number."},
    {"rule.index.broadcast", "the tensors between the brackets must fit each other, as in broadcasting."},
    {"rule.index.empty", "an axis of size 0 has no entry to pick."},
    {"rule.index.slice", "a slice goes from an integer to an integer; either may be left out."},
    {"rule.index_put.shape", "the value does not fit the place that it is assigned to."},
    {"rule.index_put.dtype", "the value must have the type of the tensor that it is assigned to."},
    {"rule.item.numel", "only a tensor with exactly one number can become a Python number; this one has {numel}."},
    {"rule.one_hot.type", "one_hot takes whole numbers: the classes."},
    {"rule.one_hot.empty", "without any class the number of classes must be given."},
    {"rule.one_hot.negative", "a class is 0 or more."},
    {"rule.one_hot.classes", "a class must be less than the number of classes."},

    // ---- rules of making tensors ----
    {"rule.create.negative", "a size is 0 or more, not {size}."},
    {"rule.create.overflow", "that many numbers cannot even be counted."},
    {"rule.numel", "that many numbers cannot even be counted."},
    {"rule.eye.negative", "a size is 0 or more, not {size}."},
    {"rule.value.overflow", "the number is too large for the type of the tensor."},
    {"rule.tensor.ragged",
     "the lists differ in length: along axis {axis}, {expected} entries were expected, {got} came."},
    {"rule.tensor.ragged", "the lists within a tensor must be equally long and equally deep."},
    {"rule.tensor.overflow", "the number is too large for the type of the tensor."},
    {"rule.uniform.order", "the lower bound lies above the upper one."},
    {"rule.randint.range", "the lower bound must be less than the upper one."},
    {"rule.normal.std", "a standard deviation is 0 or more."},
    {"rule.fan", "fan_in and fan_out are those of a matrix: the tensor needs at least 2 axes."},
    {"rule.tensor.type", "a tensor holds numbers or True and False, nothing else."},

    // ---- questions ----
    {"question.shape", "What is the shape of {subject}?"},
    {"question.value", "What is the value of {subject}?"},
    {"question.raises", "Does this cell raise an error?"},
    {"question.effect", "An error, another shape, only other numbers, or no difference?"},
    {"question.write", "Write the line that binds {name}."},

    // ---- answers ----
    {"answer.shape", "{sizes}, that is {axes}"},
    {"answer.shape.plain", "{sizes}"},
    {"answer.raises.yes", "Yes, it raises an error."},
    {"answer.raises.no", "No, it runs."},

    // ---- effects of a common bug, and comparisons ----
    {"effect.raises", "It raises an error."},
    {"effect.shape", "It gives another shape."},
    {"effect.numbers", "It gives the same shape and other numbers."},
    {"effect.none", "It makes no difference."},
    {"compare.raises", "There is nothing to compare with {right}: the cell ends in an error."},
    {"compare.shape", "Another shape: {here} here, {right} has {there}."},
    {"compare.type", "Another kind of value: {here} here, {right} is {there}."},
    {"compare.numbers", "Same shape as {right}, other numbers: {differing} of {total} differ."},
    {"compare.value", "Another value: {here} here, {there} right."},
    {"compare.none", "No difference: all {total} numbers are those of {right}."},
    {"compare.none.value", "No difference: the value is that of {right}."},
    {"compare.first", "first: {place}: {here} here, {there} right"},
    {"compare.nan", "NaN: {here} here, {there} right"},
    {"compare.unharmed", "unharmed: {list}"},
    {"compare.unharmed.none", "unharmed: no slice along any axis"},
    {"list.none", "none"},
    {"list.range", "{from} to {to}"},
    {"axis.unnamed", "axis {axis}"},

    // ---- what moved from one run to another ----
    {"moved", "{moved} of {count} numbers moved: {where}"},
    {"moved.everywhere", "{moved} of {count} numbers moved, some in every slice"},
    {"moved.all.one", "its number moved"},
    {"moved.all", "all {count} numbers moved"},
    {"moved.kept", "kept every bit: {where}"},
    {"moved.same", "kept every bit"},
    {"moved.same.list", "{names} kept every bit"},
    {"moved.shape", "another shape or type: {before} before, {after} now"},
    {"moved.value", "{before} before, {after} now"},
    {"moved.missing", "only in the run before"},
    {"moved.missing.list", "{names}: only in the run before"},
    {"moved.new", "only in the run now"},
    {"moved.unknown", "not known: the record of the run is full, and its numbers were not kept"},
    {"moved.nothing", "Every tensor kept every bit."},
    {"moved.nothing.both", "Every tensor that both runs have kept every bit."},
    {"moved.first.shape", "The first tensor with another shape is {name}, at step {step}."},
    {"moved.first.numbers", "The first numbers to move are those of {name}, at step {step}."},
    {"touch.title", "{title}, with one change"},
    {"touch.made", "Step {step} binds {name}, and right there:"},
    {"touch.made.hidden", "Right where {name} is bound, in a cell that is not shown:"},
    {"touch.legend", "An axis that is not named moved in all of its slices."},
    {"touch.summary", "Of {count} later tensors {moved} moved; the others kept every bit."},
    {"touch.summary.all.one", "The one later tensor moved."},
    {"touch.summary.all", "All {count} later tensors moved."},
    {"touch.summary.none.one", "The one later tensor did not move."},
    {"touch.summary.none", "No later tensor moved: nothing after it depends on what was changed."},
    {"touch.inside.one", "1 more tensor is inside a function; attn-tutor touch --json lists it, too."},
    {"touch.inside", "{count} more tensors are inside functions; attn-tutor touch --json lists them, too."},
    {"touch.failed", "With the change the lesson ends with an error at step {step}: {error}"},
    {"touch.failed.nowhere", "With the change the lesson ends with an error: {error}"},

    // ---- two named values beside one another ----
    {"diff.same", "{a} and {b} are equal: {total}, every bit."},
    {"diff.close", "{a} and {b} are equal but for rounding: {total}."},
    {"diff.same.value", "{a} and {b} are equal."},
    {"diff.value", "{a} is {a_kind}, {b} is {b_kind}."},
    {"diff.shape", "Another shape: {a} is {a_kind}, {b} is {b_kind}."},
    {"diff.numbers", "Same shape, other numbers: {differing} of {total} differ."},
    {"diff.first", "first: {place}: {here} in {a}, {there} in {b}"},
    {"diff.largest", "largest difference: {size}"},
    {"diff.nan", "NaN: {here} in {a}, {there} in {b}"},
    {"diff.equal", "equal: {list}"},
    {"diff.equal.none", "equal: no slice along any axis"},

    // ---- runs beside one another ----
    {"runs.same", "same"},
    {"runs.none", "-"},
    {"runs.failed", "{label} ends with an error at step {step}: {error}"},
    {"runs.failed.nowhere", "{label} ends with an error: {error}"},

    // ---- labels of the lesson ----
    {"label.predict", "Predict:"},
    {"label.compare", "Compare:"},
    {"label.answer", "Answer:"},
    {"label.trap", "Not {answer}:"},
    {"label.why", "Why:"},
    {"label.prints", "prints"},
    {"label.gives", "gives"},
    {"step.of", "step {step} of {steps}"},
    {"step.round", "round {number}"},
    {"steps.one", "step {from}"},
    {"steps", "steps {from} to {to}"},
    {"call.inside", "inside {function}"},
    {"call.again", "inside {function}: as at step {shown}, here {here}"},
    {"call.times", "inside {function}, {count} times: as at step {shown}, here {here}"},
    {"call.with", "{call}, with {list}"},
    {"call.axis", "{size} on {axis} of {target}"},
    {"call.result", "the result"},
    {"call.other", "{here} (there {there})"},

    // ---- programs of the learner ----
    {"watch.again", "{file} changed: run {run}"},
    {"note.unseeded",
     "{file}: note: random numbers are drawn before any torch.manual_seed(); they are those of seed 0, so that every "
     "run "
     "shows the same (--seed takes another)"},
    {"note.output",
     "{file}: note: the output saved in the file differs at its line {line}\n  saved  {saved}\n  now    {now}"},

    // ---- rows of ops ----
    {"op.view", "a view: strides {from} {arrow} {to}"},
    {"op.copy", "a copy"},
    {"op.over", "over {axis}"},
    {"op.in_place", "in place"},
    {"op.above", "above"},
    {"op.result", "({op})"},
    {"op.same", "{count} times"},
    {"op.more.one", "{gap} 1 more"},
    {"op.more", "{gap} {count} more"},

    // ---- numbers ----
    {"more.one", "{gap} 1 more"},
    {"more", "{gap} {count} more"},
    {"more.columns.one", "{gap} 1 column more"},
    {"more.columns", "{gap} {count} columns more"},
    {"more.lines.one", "{gap} 1 more line"},
    {"more.lines", "{gap} {count} more lines"},
    {"more.rounds.one", "{gap} 1 more round, {steps}"},
    {"more.rounds", "{gap} {count} more rounds, {steps}"},
    {"numbers.one", "1 number"},
    {"numbers", "{count} numbers"},
    {"numbers.type", "{numbers} of {type}"},
    {"summary.min", "min {value}"},
    {"summary.mean", "mean {value}"},
    {"summary.max", "max {value}"},
    {"summary.all", "all {value}"},
    {"summary.true", "{count} True"},
    {"summary.false", "{count} False"},
    {"summary.nan", "! {count} NaN"},
    {"summary.inf", "! {count} infinite"},
    {"summary.empty", "no numbers: an axis has size 0"},
    {"summary.not_kept", "the numbers were not kept: the record of this run is full"},
    {"weights.row", "{row} looks most at {list}"},
    {"weights.vector", "looks most at {list}"},
    {"weights.even", "{row} looks at all alike"},
    {"weights.even.vector", "looks at all alike"},
    {"weights.any", "row {row}"},
    {"weights.entropy", "entropy {bits} bits"},
    {"slice", "slice {where}"},
    {"slice.unnamed", "{axis} at {index}"},

    // ---- the ledger of shapes ----
    {"ledger.step", "step"},
    {"ledger.name", "name"},
    {"ledger.axes", "axes"},
    {"ledger.shape", "shape"},
    {"ledger.cost", "multiply-adds"},
    {"ledger.bytes", "bytes"},
    {"ledger.total", "total"},
    {"ledger.narrow", "{cost} multiply-adds, {bytes} bytes"},
};

}  // namespace

std::span<const Sentence> sentences() {
  static const std::vector<Sentence> all = [] {
    std::vector<Sentence> rows(std::begin(kSentences), std::end(kSentences));
    for (const std::span<const Sentence> more : {rule_sentences(), lint_sentences()})
      rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return all;
}

}  // namespace attn
