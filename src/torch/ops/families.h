#pragma once
// The rows of the table of ops, one family a file (create.cpp, reduce.cpp, ...). Only op.cpp puts them
// together.
#include <span>

namespace attn {

class OpCall;
struct OpInfo;
class Value;

std::span<const OpInfo> create_ops();
std::span<const OpInfo> random_ops();
std::span<const OpInfo> pointwise_ops();
std::span<const OpInfo> compare_ops();
std::span<const OpInfo> inplace_ops();
std::span<const OpInfo> reduce_ops();
std::span<const OpInfo> matmul_ops();
std::span<const OpInfo> layout_ops();
std::span<const OpInfo> join_ops();
std::span<const OpInfo> index_ops();
std::span<const OpInfo> query_ops();
std::span<const OpInfo> functional_ops();
std::span<const OpInfo> init_ops();
std::span<const OpInfo> math_ops();
std::span<const OpInfo> activation_ops();
std::span<const OpInfo> loss_ops();
std::span<const OpInfo> class_loss_ops();
std::span<const OpInfo> gather_ops();
std::span<const OpInfo> arrange_ops();
std::span<const OpInfo> grid_ops();
std::span<const OpInfo> linalg_ops();
std::span<const OpInfo> length_ops();
std::span<const OpInfo> einsum_ops();
std::span<const OpInfo> attention_ops();
std::span<const OpInfo> new_ops();
std::span<const OpInfo> fold_ops();
std::span<const OpInfo> conv_ops();
std::span<const OpInfo> norm_ops();
std::span<const OpInfo> composed_ops();
std::span<const OpInfo> gradient_ops();

/// The function of an op that writes in place and follows from a row: runs that row's and writes back what comes out.
Value write_result(OpCall& call);

}  // namespace attn
