#pragma once
// What the rows of losses share: reduction= and refusals.
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "lang/op.h"

namespace attn::loss {

[[noreturn]] void refuse(std::string rule, Code code, std::string type, std::string text, std::vector<Fact> facts = {});
const std::string& text_of(const OpCall& call, std::string_view name);
/// reduction=, or what PyTorch's old words for it say: size_average= and reduce=.
std::string reduction_of(const OpCall& call);
/// Errors: ValueError for an unknown reduction=.
void check_reduction(const OpCall& call);
Value step(OpCall& call, std::string_view op, std::vector<Value> arguments);
/// The losses of all elements as the call wants them: their mean, their sum, themselves.
Value reduced(OpCall& call, const Value& losses);

}  // namespace attn::loss
