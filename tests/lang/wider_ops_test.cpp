// What the oracle does not see of the rows beyond the first ones: names of axes, what is refused, what is recorded.
#include <gtest/gtest.h>

#include "op_names.h"
#include "run_cell.h"
#include "torch/op.h"

namespace attn {
namespace {

// x has the axes [a 2, b 3, c 4], y [a, d, c], k is an index with the axis [k 5].
constexpr const char* kWiderOpsSetup =
    "x = torch.zeros(2, 3, 4)  # [a, b, c]\n"
    "y = torch.zeros(2, 6, 4)  # [a, d, c]\n"
    "k = torch.zeros(5).long()  # [k]\n"
    "heads, part = 2, 2\n";

constexpr std::pair<const char*, const char*> kAxes[] = {
    {"torch.einsum('abc,adc->abd', x, y)", "a,b,d"},
    {"torch.einsum('...bc,...dc->...bd', x, y)", "a,b,d"},
    {"torch.einsum('abc->cab', x)", "c,a,b"},
    {"torch.einsum('abc->', x)", ""},
    {"torch.outer(x[0, :, 0], x[0, 0])", "b,c"},
    {"torch.mv(x[0], torch.zeros(4))", "b"},
    {"torch.addmm(torch.zeros(6), x[0], y[0].t())", "b,d"},
    {"torch.baddbmm(torch.zeros(6), x, y.mT)", "a,b,d"},
    {"F.scaled_dot_product_attention(x, y, y)", "a,b,c"},
    {"F.scaled_dot_product_attention(x, y, y, is_causal=True)", "a,b,c"},
    {"x.norm(dim=1)", "a,c"},
    {"F.normalize(x, dim=-1)", "a,b,c"},
    {"F.cosine_similarity(x, x, dim=-1)", "a,b"},
    {"x.topk(2)[0]", "a,b,c"},
    {"x.sort(dim=0)[1]", "a,b,c"},
    {"x.index_select(1, k)", "a,k,c"},
    {"x.gather(1, torch.zeros(2, 1, 4).long())", ",,"},
    {"x.masked_select(x > 0)", ""},
    {"x.roll(1, 1)", "a,b,c"},
    {"x.flip(0)", "a,b,c"},
    {"x.repeat_interleave(2, dim=1)", "a,,c"},
    {"x.movedim(0, -1)", "b,c,a"},
    {"x.unflatten(2, (heads, part))", "a,b,heads,part"},
    {"x.diagonal(dim1=0, dim2=1)", "c,"},
    {"F.pad(x, (1, 1))", "a,b,c"},
    {"torch.meshgrid(x[:, 0, 0], x[0, :, 0], indexing='ij')[0]", "a,b"},
    {"torch.meshgrid(x[:, 0, 0], x[0, :, 0], indexing='xy')[0]", "b,a"},
    {"x.logsumexp(-1)", "a,b"},
    {"x.cumprod(1)", "a,b,c"},
    {"F.gelu(x)", "a,b,c"},
    {"F.glu(x)", "a,b,c"},
    {"torch.lerp(x, torch.ones(4), 0.5)", "a,b,c"},
    {"F.cross_entropy(x[0], torch.zeros(3).long(), reduction='none')", ""},
    {"x.new_zeros(heads, 7)", "heads,"},
};

TEST(WiderOps, NamesOfAxes) {
  for (const auto& [code, axes] : kAxes) {
    SCOPED_TRACE(code);
    EXPECT_EQ(CellRun(std::string(kWiderOpsSetup) + code).axes(), axes);
  }
}

constexpr std::pair<const char*, const char*> kUnsupported[] = {
    {"torch.zeros(2).int().std()", "NotImplementedError: std of torch.int32 is not supported"},
    {"torch.zeros(2, dtype=torch.complex32)", "NotImplementedError: torch.complex32 is not known here"},
    {"torch.zeros(2).half().exp()", "NotImplementedError: exp of torch.float16 is not supported"},
    {"torch.zeros(2).cuda()", "NotImplementedError: Tensor.cuda is not known here"},
    {"torch.zeros(2).to(torch.device('cuda'))", "NotImplementedError: only the device 'cpu' is supported"},
    {"torch.unique(torch.zeros(2, 2), dim=0)", "NotImplementedError: unique(dim=...) is not supported"},
    {"torch.linalg.norm(torch.zeros(2, 2), 2)",
     "NotImplementedError: norms of matrices other than 'fro' are not supported"},
    {"torch.set_default_dtype(torch.float64)", "NotImplementedError: the default type is always torch.float32"},
    {"torch.linalg.eig(torch.eye(2))", "NotImplementedError: torch.linalg.eig is not known here"},
};

TEST(WiderOps, RefusalsNameWhatIsMeant) {
  for (const auto& [code, message] : kUnsupported) {
    SCOPED_TRACE(code);
    EXPECT_EQ(failure_of(code), message);
  }
}

TEST(WiderOps, CompositesShowTheirSteps) {
  EXPECT_EQ(ops_of("x = torch.ones(2, 3)", "y = F.scaled_dot_product_attention(x, x, x)"),
            "scaled_dot_product_attention\n  transpose\n  matmul\n  mul\n  softmax\n  matmul\n");
  EXPECT_EQ(ops_of("x = torch.ones(2, 3)\nt = torch.tensor([0, 1])", "y = F.cross_entropy(x, t)"),
            "cross_entropy\n  log_softmax\n  nll_loss\n    unsqueeze\n    gather\n    squeeze\n    neg\n    mean\n");
  EXPECT_EQ(ops_of("x = torch.ones(2)", "y = torch.einsum('i,j->ij', x, x)"),
            "einsum\n  unsqueeze\n  permute\n  unsqueeze\n  permute\n  mul\n");
  EXPECT_EQ(ops_of("x = torch.ones(2)", "y = F.normalize(x, dim=0)"),
            "normalize\n  norm\n  clamp_min\n  expand_as\n  div\n");
}

TEST(WiderOps, PrintOptionsEndWithTheRun) {
  EXPECT_EQ(repr(CellRun("torch.set_printoptions(precision=1)\nstr(torch.tensor(0.25))").last()), "'tensor(0.2)'");
  EXPECT_EQ(repr(CellRun("str(torch.tensor(0.25))").last()), "'tensor(0.2500)'");
}

}  // namespace
}  // namespace attn
