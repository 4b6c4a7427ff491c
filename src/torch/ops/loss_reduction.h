#pragma once
// What the rows of losses share: reduction=.
#include <string>
#include <string_view>

#include "torch/op.h"

namespace attn::loss {

const std::string& text_of(const OpCall& call, std::string_view name);
/// reduction=, or what PyTorch's old words for it say: size_average= and reduce=.
std::string reduction_of(const OpCall& call);
/// Errors: ValueError for an unknown reduction=.
void check_reduction(const OpCall& call);
/// The losses of all elements as the call wants them: their mean, their sum, themselves.
Value reduced(OpCall& call, const Value& losses);

}  // namespace attn::loss
