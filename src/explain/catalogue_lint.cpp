// English: notes on code that runs and is probably not what was meant. Each says what happens, then the right form.
#include "explain/catalogue.h"

namespace attn {
namespace {

constexpr Sentence kNotes[] = {
    {"lint.view",
     "{op} keeps the order of the numbers in storage: {axes} as {sizes} does not move the axis of size {size} from "
     "place "
     "{from} to place {to}, it cuts the numbers up anew and mixes entries of different places."},
    {"lint.softmax",
     "softmax makes the weights add up to 1 along {axis}, but the next product adds up over {contracted}."},
    {"lint.softmax.right", "dim={dim}, so that every row of weights over {contracted} adds up to 1."},
    {"lint.mask",
     "this mask has one entry for each {query} and is the same for all {keys}: it hides whole rows, not keys."},
    {"lint.mask.right", "a mask with {keys} last, such as mask[:, None, None, :]"},
    {"lint.scale", "the scores are sums over {axis}, and are divided by {given}; its square root is {root}."},
    {"lint.scale.times",
     "the scores are sums over {axis}, and are multiplied by {given}; 1 over its square root is {root}."},
    {"lint.scale.right", "divide by math.sqrt({size}): the size of the axis that is added up over"},
    {"lint.scale.times.right", "multiply by {size} ** -0.5: the size of the axis that is added up over"},
    {"lint.row", "{count} of {total} rows of this softmax have every entry masked, first {place}: {what}."},
    {"lint.row.nan", "they are NaN"},
    {"lint.row.even", "their weights are all alike, as if nothing were masked"},
    {"lint.row.right", "leave at least one key to every query, or set those rows to 0 after the softmax"},
    {"lint.after",
     "the mask is applied after the softmax: {count} of {total} rows no longer add up to 1, first {place}, {sum}."},
    {"lint.after.right", "mask the scores before the softmax: scores.masked_fill(mask == 0, float('-inf'))"},
};

}  // namespace

std::span<const Sentence> lint_sentences() { return kNotes; }

}  // namespace attn
