// English. Rows are grouped by what they are about; the order matters only between rows of one id.
#include "explain/catalogue.h"

namespace attn {
namespace {

constexpr Sentence kSentences[] = {
    // ---- errors ----
    {"error.torch", "PyTorch says: {text}"},

    // ---- rules of products ----
    {"rule.matmul.inner",
     "matmul needs the last axis of {left} ({left.-1}) to equal the second-last axis of {right} ({right.-2})."},
    {"rule.matmul.inner",
     "matmul needs the last axis of {left} ({left.-1}) to equal the axis of {right} ({right.-1})."},
    {"rule.matmul.inner", "matmul adds up over one shared axis: {left} on the left and {right} on the right differ."},
    {"rule.matmul.inner", "matmul needs the last axis on the left to equal the second-last axis on the right."},
    {"rule.matmul.scalar", "matmul needs operands with at least one axis; multiply by a single number with *."},
    {"rule.matmul.dtype", "both operands of a product must have the same type of numbers; convert one with .to(...)."},
    {"rule.mm.dims", "mm multiplies two matrices: both operands must have exactly 2 axes. matmul takes any number."},
    {"rule.bmm.dims", "bmm multiplies two batches of matrices: both operands must have exactly 3 axes."},
    {"rule.bmm.batch", "bmm needs the same number of matrices on both sides: {left.0} meets {right.0}."},
    {"rule.dot.dims", "dot takes two vectors: both operands must have exactly 1 axis."},
    {"rule.dot.size", "dot multiplies in pairs: {left} ({left.-1}) and {right} ({right.-1}) must be equally long."},
    {"rule.dot.size", "dot multiplies in pairs: both vectors must be equally long."},
    {"rule.linear.inner", "a Linear of {in} inputs needs a last axis of {in}, but {left} ends in {left.-1}."},
    {"rule.linear.inner", "a Linear needs a last axis as wide as its number of inputs."},

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
    {"rule.mean.dtype", "a mean is a fraction, so it needs floats; convert with .float() first."},
    {"rule.softmax.dtype", "softmax gives fractions, so it needs floats; convert with .float() first."},

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
    {"rule.view.unknown", "with an axis of size 0, any size would fit the -1; write it out."},
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
    {"rule.dim.repeat", "an axis was named twice."},
    {"rule.narrow.range", "the range asked for reaches beyond the axis."},

    // ---- rules of joining, indexing, looking up ----
    {"rule.cat.size", "cat joins along one axis; all others must have equal sizes."},
    {"rule.cat.dims", "cat needs tensors with equally many axes."},
    {"rule.cat.empty", "there is nothing to join: the list of tensors is empty."},
    {"rule.stack.size", "stack puts tensors side by side along a new axis: all must have the same shape."},
    {"rule.stack.empty", "there is nothing to stack: the list of tensors is empty."},
    {"rule.split.sizes", "the sizes of the pieces must add up to the size of the axis."},
    {"rule.index.range",
     "index {index} lies outside axis {axis} of {left} ({left.axis}): it goes from 0 to {size-1} (or {-size} to -1)."},
    {"rule.index.range",
     "index {index} lies outside an axis of size {size}: it goes from 0 to {size-1} (or {-size} to -1)."},
    {"rule.index.too_many", "{given} indices for a tensor with {dims} axes."},
    {"rule.index.mask", "a mask between brackets must have the sizes of the axes that it stands for."},
    {"rule.index.type", "between brackets go integers, slices, None, ..., and tensors of integers or True and False."},
    {"rule.index.step", "the step of a slice must be 1 or more; flip() turns an axis around."},
    {"rule.embedding.range", "id {id} has no row: the table has {rows} rows, 0 to {rows-1}."},
    {"rule.embedding.type", "an embedding looks up whole numbers; convert the ids with .long()."},
    {"rule.item.count", "only a tensor with exactly one number can become a Python number."},

    // ---- rules of making tensors ----
    {"rule.create.negative", "a size is 0 or more, not {size}."},
    {"rule.create.overflow", "that many numbers cannot even be counted."},
    {"rule.numel", "that many numbers cannot even be counted."},
    {"rule.eye.negative", "a size is 0 or more, not {size}."},
    {"rule.value.overflow", "the number is too large for the type of the tensor."},
    {"rule.tensor.ragged",
     "the lists differ in length: along axis {axis}, {expected} entries were expected, {got} came."},
    {"rule.tensor.ragged", "the lists within a tensor must be equally long and equally deep."},
    {"rule.tensor.type", "a tensor holds numbers or True and False, nothing else."},

    // ---- questions ----
    {"question.shape", "What is the shape of {subject}?"},
    {"question.value", "What is the value of {subject}?"},
    {"question.raises", "Does this cell raise an error?"},
    {"question.effect",
     "What does this cell do: raise an error, give another shape, give the same shape and other numbers, or make no "
     "difference?"},
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
    {"compare.numbers", "The shape of {right}, other numbers: {differing} of {total} differ."},
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

    // ---- labels of the lesson ----
    {"label.predict", "Predict:"},
    {"label.write", "Write:"},
    {"label.answer", "Answer:"},
    {"label.trap", "Not {answer}:"},
    {"label.why", "Why:"},
    {"label.prints", "prints"},
    {"label.gives", "gives"},
    {"step.of", "step {step} of {steps}"},
    {"step.round", "round {number}"},

    // ---- rows of ops ----
    {"op.view", "a view: strides {from} {arrow} {to}"},
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
    {"more.rounds.one", "{gap} 1 more round"},
    {"more.rounds", "{gap} {count} more rounds"},
    {"numbers.one", "1 number"},
    {"numbers", "{count} numbers"},
    {"numbers.type", "{numbers} of {type}"},
    {"summary.range", "min {min}   mean {mean}   max {max}"},
    {"summary.true", "{count} True"},
    {"summary.false", "{count} False"},
    {"summary.nan", "! {count} NaN"},
    {"summary.inf", "! {count} infinite"},
    {"summary.empty", "no numbers: an axis has size 0"},
    {"summary.not_kept", "the numbers were not kept: the record of this run is full"},
    {"weights.row", "{row} looks most at {list}"},
    {"weights.vector", "looks most at {list}"},
    {"weights.entropy", "entropy {bits} bits"},
    {"slice", "slice {where}"},

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

std::span<const Sentence> sentences() { return kSentences; }

}  // namespace attn
