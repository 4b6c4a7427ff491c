#include "engine/weights_map.h"

#include <gmock/gmock.h>

#include "engine/runner.h"
#include "tensor/core/print.h"
#include "tensor/ops/create.h"
#include "tensor/ops/layout.h"

namespace attn {
namespace {

/// What lands in the lesson's tensor of [0, 1, ...] of that shape, as nested lists; or the refusal.
std::string mapped(const std::string& part, const Shape& shape = {2, 3}) {
  const Tensor whole = reshape(arange(std::int64_t{0}, numel_of(shape), std::int64_t{1}, DType::Int64), shape);
  try {
    return tensor_repr(contiguous(mapped_part(whole, parse_map("w" + part + "=fc"))));
  } catch (const UserError& error) {
    return error.what();
  }
}

// Parts as NumPy and PyTorch take them of torch.arange(6).view(2, 3).
TEST(WeightsMap, TakesPartsAsPyTorchDoes) {
  EXPECT_EQ(mapped(""), "tensor([[0, 1, 2],\n        [3, 4, 5]])");
  EXPECT_EQ(mapped(".T"), "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])");
  EXPECT_EQ(mapped(".T.T"), mapped(""));
  EXPECT_EQ(mapped("[1]"), "tensor([3, 4, 5])");
  EXPECT_EQ(mapped("[-1, -3]"), "tensor(3)");
  EXPECT_EQ(mapped("[:, 1:]"), "tensor([[1, 2],\n        [4, 5]])");
  EXPECT_EQ(mapped("[..., :-1]"), "tensor([[0, 1],\n        [3, 4]])");
  EXPECT_EQ(mapped("[1, ...]"), "tensor([3, 4, 5])");
  EXPECT_EQ(mapped("[ 0 : 1 , 2 ].T"), "tensor([2])");
  EXPECT_EQ(mapped(".T[1:, 1]"), "tensor([4, 5])");
  EXPECT_EQ(mapped("[:, 3:]"), "tensor([], size=(2, 0), dtype=torch.int64)");
  EXPECT_EQ(mapped("[1, ..., 0]", {2, 2, 2}), "tensor([4, 6])");
  EXPECT_EQ(mapped("[0:2:1]"), "--map w[0:2:1]=fc: a ] is missing, or : appears twice: a range has no step");
}

TEST(WeightsMap, RefusesWhatIsNotThere) {
  EXPECT_EQ(mapped("[2]"), "--map w[2]=fc: axis 0 of w has size 2");
  EXPECT_EQ(mapped("[:, -4]"), "--map w[:, -4]=fc: axis 1 of w has size 3");
  EXPECT_EQ(mapped("[2:1]"), "--map w[2:1]=fc: axis 0 of w has size 2");
  EXPECT_EQ(mapped("[0, 0, 0]"),
            "--map w[0, 0, 0]=fc: 3 items for w, which has shape [2, 3]; "
            "[..., 0:768] takes a part of the last axis of any tensor");
  EXPECT_EQ(mapped("[0, 0, 0, ...]"), "--map w[0, 0, 0, ...]=fc: 3 items for w, which has shape [2, 3]");
  EXPECT_EQ(mapped("[..., ...]"), "--map w[..., ...]=fc: ... may appear once between [ and ]");
  EXPECT_EQ(mapped("[a]"), "--map w[a]=fc: between [ and ] come numbers, ranges such as 0:768, : and ...");
  EXPECT_EQ(mapped("[1"), "--map w[1=fc: a ] is missing, or : appears twice: a range has no step");
  EXPECT_EQ(mapped("[1]x"), "--map w[1]x=fc: after the name of the file's tensor come [rows, columns] or .T alone");
  EXPECT_EQ(mapped("[1-1]"), "--map w[1-1]=fc: '1-1' is not a whole number");
}

TEST(WeightsMap, NamesStandOnBothSidesOfTheLastSign) {
  const auto names = [](const std::string& typed) {
    const WeightsMap map = parse_map(typed);
    return map.from + "|" + map.part + "|" + map.to;
  };
  EXPECT_EQ(names(" h.0.attn [0].T = fc_q "), "h.0.attn|[0].T|fc_q");
  EXPECT_EQ(names("h.T=a=b"), "h.T=a||b");
  EXPECT_EQ(names("=fc"), "||fc");
  EXPECT_EQ(names("h="), "h||");
  EXPECT_THROW(names("h.0"), UserError);
  EXPECT_THROW(names(" = "), UserError);
}

}  // namespace
}  // namespace attn
