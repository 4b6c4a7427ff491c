// English: notes on code that runs and is probably not what was meant. Each says what happens, then the right form.
#include "explain/catalogue.h"

namespace attn {
namespace {

constexpr Sentence kNotes[] = {
    {"lint.view",
     "{op} keeps the order of the numbers in storage: {axes} as {sizes} does not move the axis of size {size} from "
     "place "
     "{from} to place {to}, it cuts the numbers up anew and mixes entries of different places."},
    {"lint.softmax", "the weights add up to 1 along {axis}, but the next product adds up over {contracted}."},
    {"lint.softmax.right", "softmax over dim={dim}: the weights of each query then add up to 1 over the keys."},
    {"lint.mask",
     "this mask tells queries apart, {queries}, and is the same for all keys, {keys}: it hides whole rows."},
    {"lint.mask.right", "let the mask differ along the keys: mask[:, None, None, :] for a mask of [batch, keys]."},
    {"lint.scale", "the scores are sums over {axis}, and are divided by {given}; the square root of {size} is {root}."},
    {"lint.scale.right", "divide by math.sqrt({size}), the root of the size of the axis that is added up over."},
    {"lint.scale.times",
     "the scores are sums over {axis}, and are multiplied by {given}; 1 over the square root of {size} is {root}."},
    {"lint.scale.times.right", "multiply by {size} ** -0.5: the size is that of the axis that is added up over."},
    {"lint.row", "in {count} of {total} rows of this softmax every entry is masked, the first at {place}: {what}."},
    {"lint.row.nan", "they are NaN"},
    {"lint.row.even", "their weights are all alike, as if nothing were masked"},
    {"lint.row.right", "leave every query at least one key, or set those rows to 0 after the softmax."},
    {"lint.after",
     "the mask is applied after the softmax: {count} of {total} rows no longer add up to 1, the first, {place}, to "
     "{sum}."},
    {"lint.after.right", "mask the scores before the softmax: scores.masked_fill(mask == 0, float('-inf'))."},
};

}  // namespace

std::span<const Sentence> lint_sentences() { return kNotes; }

}  // namespace attn
