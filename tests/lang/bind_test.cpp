// How arguments find their parameters, with PyTorch 1.13.1's words where they do not.
#include <gtest/gtest.h>

#include "run_cell.h"
#include "torch/signature.h"

namespace attn {
namespace {

constexpr std::pair<const char*, const char*> kMessages[] = {
    {"torch.matmul(a, 3)", "matmul(): argument 'other' (position 2) must be Tensor, not int"},
    {"a.matmul(3)", "matmul(): argument 'other' (position 1) must be Tensor, not int"},
    {"torch.matmul(a)", "matmul() missing 1 required positional arguments: \"other\""},
    {"torch.matmul()", "matmul() missing 2 required positional argument: \"input\", \"other\""},
    {"torch.matmul(a, a, 3)", "matmul() takes 2 positional arguments but 3 were given"},
    {"a.matmul(a, a)", "matmul() takes 1 positional argument but 2 were given"},
    {"torch.matmul(a, a, foo=1)", "matmul() got an unexpected keyword argument 'foo'"},
    {"a.permute(1.0, 0)", "permute(): argument 'dims' (position 1) must be tuple of ints, not float"},
    {"a.permute()", "permute() missing 1 required positional arguments: \"dims\""},
    {"torch.permute(a, 1, 0)", "permute() takes 2 positional arguments but 3 were given"},
    {"a.view((3, 2.0))", "view(): argument 'size' must be tuple of SymInts, but found element of type float at pos 2"},
    {"a.reshape(3, 2.0)",
     "reshape(): argument 'shape' must be tuple of SymInts, but found element of type float at pos 2"},
    {"torch.reshape(a, 6)", "reshape(): argument 'shape' (position 2) must be tuple of SymInts, not int"},
    {"torch.zeros(2.0)", "zeros(): argument 'size' (position 1) must be tuple of SymInts, not float"},
    {"torch.randn(2.0)", "randn(): argument 'size' (position 1) must be tuple of ints, not float"},
    {"torch.full(2, 1)", "full(): argument 'size' (position 1) must be tuple of SymInts, not int"},
    {"torch.full((2,), 'x')", "full(): argument 'fill_value' (position 2) must be Number, not str"},
    {"torch.unsqueeze(a, True)", "unsqueeze(): argument 'dim' (position 2) must be int, not bool"},
    {"torch.tril(a, diagonal=True)", "tril(): argument 'diagonal' must be int, not bool"},
    {"torch.max(3)", "max(): argument 'input' (position 1) must be Tensor, not int"},
    {"torch.randint(3, 2)", "randint(): argument 'size' (position 2) must be tuple of ints, not int"},
    {"torch.cat(a)", "cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor"},
    {"torch.cat([a, 3])", "expected Tensor as element 1 in argument 0, but got int"},
    {"torch.add(a, None)", "add(): argument 'other' (position 2) must be Tensor, not NoneType"},
    {"F.embedding(a)", "embedding() missing 1 required positional argument: 'weight'"},
    {"F.linear(a)", "linear() missing 1 required positional arguments: \"weight\""},
    {"a.unsqueeze(0, dim=1)", "unsqueeze() got multiple values for argument 'dim'"},
    {"a.sum(1.5)",
     "sum() received an invalid combination of arguments - got (float), but expected one of:\n"
     " * (*, torch.dtype dtype)\n * (tuple of ints dim, bool keepdim, *, torch.dtype dtype)\n"},
    {"torch.softmax(a)",
     "softmax() received an invalid combination of arguments - got (Tensor), but expected one of:\n"
     " * (Tensor input, int dim, torch.dtype dtype, *, Tensor out)\n * (Tensor input, name dim, *, torch.dtype "
     "dtype)\n"},
    {"a.softmax()",
     "softmax() received an invalid combination of arguments - got (), but expected one of:\n"
     " * (int dim, torch.dtype dtype)\n * (name dim, *, torch.dtype dtype)\n"},
};

TEST(Bind, Messages) {
  for (const auto& [code, message] : kMessages) {
    SCOPED_TRACE(code);
    EXPECT_EQ(failure_of(std::string("a = torch.ones(2, 3)\n") + code), std::string("TypeError: ") + message);
  }
}

constexpr std::pair<const char*, const char*> kAccepted[] = {
    {"torch.zeros(2, 3).shape", "torch.Size([2, 3])"},
    {"torch.zeros((2, 3)).shape", "torch.Size([2, 3])"},
    {"torch.zeros([2, 3]).shape", "torch.Size([2, 3])"},
    {"torch.zeros(size=(2, 3)).shape", "torch.Size([2, 3])"},
    {"torch.zeros(()).shape", "torch.Size([])"},
    {"torch.zeros(torch.ones(2, 3).shape).shape", "torch.Size([2, 3])"},
    {"torch.zeros(2, torch.tensor(3)).shape", "torch.Size([2, 3])"},
    {"torch.ones(2, 3).view(3, torch.tensor(2)).shape", "torch.Size([3, 2])"},
    {"torch.ones(2, 3).permute(dims=(1, 0)).shape", "torch.Size([3, 2])"},
    {"torch.full((1,), torch.tensor(2.5))", "tensor([2.5000])"},
    {"torch.zeros(1, device=None, layout=None, generator=None)", "tensor([0.])"},
    {"torch.ones(1).to('cpu', torch.float64)", "tensor([1.], dtype=torch.float64)"},
    {"torch.randint(low=5, high=6, size=(2,))", "tensor([5, 5])"},
};

TEST(Bind, AcceptsWhatPyTorchAccepts) {
  for (const auto& [code, text] : kAccepted) {
    SCOPED_TRACE(code);
    EXPECT_EQ(repr(CellRun(code).last()), text);
  }
}

TEST(Bind, PointsAtTheArgumentAndHints) {
  const std::string code = "torch.ones(2, 3).unsqueeze(dm=1)";
  try {
    CellRun run(code);
    FAIL();
  } catch (const CellError& error) {
    EXPECT_EQ(error.diagnostic().hint, "did you mean 'dim'?");
    EXPECT_LT(error.diagnostic().span.begin, error.diagnostic().span.end);
  }
  EXPECT_EQ(failure_of("torch.ones(6).view(4 / 2, 3)"),
            "TypeError: view(): argument 'size' (position 1) must be tuple of SymInts, not float");
}

TEST(Signature, ParsesOverloadsTypesAndDefaults) {
  const auto& overloads = overloads_of("(input: Tensor, *size: ints, *, p: float = 0.5, m: str = 'mean') | (n: int?)");
  ASSERT_EQ(overloads.size(), 2u);
  ASSERT_EQ(overloads[0].size(), 4u);
  EXPECT_TRUE(overloads[0][1].variadic);
  EXPECT_FALSE(overloads[0][1].keyword_only);
  EXPECT_TRUE(overloads[0][2].keyword_only);
  EXPECT_EQ(*default_value(overloads[0][2]).as_float(), 0.5);
  EXPECT_EQ(default_value(overloads[0][3]).as<Str>()->text, "mean");
  EXPECT_TRUE(overloads[1][0].optional);
  EXPECT_THROW(overloads_of("(x: Tensr)"), std::logic_error);
}

}  // namespace
}  // namespace attn
