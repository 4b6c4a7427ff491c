#include "tensor/core/print.h"

#include <limits>

#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "tests/tensor/outcome.h"

namespace attn {
namespace {

// Every text is what PyTorch 1.13.1 prints.
TEST(Print, tensor_repr) {
  struct Case {
    Tensor x;
    TensorTag tag;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {floats({0.0F}, {}), {}, "tensor(0.)"},
      {floats({1.5F}, {}), {}, "tensor(1.5000)"},
      {floats({1.0F}, {}), {}, "tensor(1.)"},
      {floats({kNaN}, {}), {}, "tensor(nan)"},
      {floats({1e-05F}, {}), {}, "tensor(1.0000e-05)"},
      {floats({1000000000.0F}, {}), {}, "tensor(1.0000e+09)"},
      {doubles({1.5}, {}), {}, "tensor(1.5000, dtype=torch.float64)"},
      {ints({7}, {}), {}, "tensor(7)"},
      {bools({true}, {}), {}, "tensor(True)"},
      {floats({1.0F, 2.0F, 3.0F}, {3}), {}, "tensor([1., 2., 3.])"},
      {floats({-1.0F, 0.0F, 1.0F}, {3}), {}, "tensor([-1.,  0.,  1.])"},
      {floats({-0.0F, 0.0F}, {2}), {}, "tensor([-0., 0.])"},
      {floats({0.0F, 0.0F}, {2}), {}, "tensor([0., 0.])"},
      {floats({0.5F, 100.0F, 3.0F}, {3}), {}, "tensor([  0.5000, 100.0000,   3.0000])"},
      {floats({1.0F, 2.5F}, {2}), {}, "tensor([1.0000, 2.5000])"},
      {floats({1.0F, 1000.0F}, {2}), {}, "tensor([   1., 1000.])"},
      {floats({1.0F, 1001.0F}, {2}), {}, "tensor([1.0000e+00, 1.0010e+03])"},
      {floats({0.5F, 500.0F}, {2}), {}, "tensor([  0.5000, 500.0000])"},
      {floats({0.5F, 501.0F}, {2}), {}, "tensor([5.0000e-01, 5.0100e+02])"},
      {floats({100000000.0F, 100000000.0F}, {2}), {}, "tensor([100000000., 100000000.])"},
      {floats({100000008.0F, 100000008.0F}, {2}), {}, "tensor([1.0000e+08, 1.0000e+08])"},
      {floats({0.0001F, 0.0002F}, {2}), {}, "tensor([1.0000e-04, 2.0000e-04])"},
      {floats({9e-05F, 0.0002F}, {2}), {}, "tensor([9.0000e-05, 2.0000e-04])"},
      {floats({1e-05F, 0.0F}, {2}), {}, "tensor([1.0000e-05, 0.0000e+00])"},
      {floats({99999.5F, 99999.9F}, {2}), {}, "tensor([99999.5000, 99999.8984])"},
      {floats({0.99995F, 0.5F}, {2}), {}, "tensor([0.9999, 0.5000])"},
      {floats({kNaN, kInf, -kInf}, {3}), {}, "tensor([nan, inf, -inf])"},
      {floats({kNaN, 1.0F, -kInf}, {3}), {}, "tensor([nan, 1., -inf])"},
      {floats({kNaN, 1.5F, kInf, -2.0F}, {4}), {}, "tensor([    nan,  1.5000,     inf, -2.0000])"},
      {floats({0.0F, 1e-07F, kNaN}, {3}), {}, "tensor([0.0000e+00, 1.0000e-07,        nan])"},
      {floats({1e+20F, 1.0F, -kInf, 0.0F}, {4}), {}, "tensor([1.0000e+20, 1.0000e+00,       -inf, 0.0000e+00])"},
      {doubles({0.1, 0.2}, {2}), {}, "tensor([0.1000, 0.2000], dtype=torch.float64)"},
      {doubles({1.0, 2.0}, {2}), {}, "tensor([1., 2.], dtype=torch.float64)"},
      {doubles({1e-300, 1.0}, {2}), {}, "tensor([1.0000e-300,  1.0000e+00], dtype=torch.float64)"},
      {doubles({1e+300, kNaN}, {2}), {}, "tensor([1.0000e+300,         nan], dtype=torch.float64)"},
      {ints({1, -20, 300}, {3}), {}, "tensor([  1, -20, 300])"},
      {ints({9223372036854775807, -1}, {2}), {}, "tensor([9223372036854775807,                  -1])"},
      {bools({true, false}, {2}), {}, "tensor([ True, False])"},
      {bools({true, true}, {2}), {}, "tensor([True, True])"},
      {counting({2, 3}),
       {},
       R"(tensor([[0., 1., 2.],
        [3., 4., 5.]]))"},
      {counting({2, 3}, DType::Int64),
       {},
       R"(tensor([[0, 1, 2],
        [3, 4, 5]]))"},
      {counting({2, 3}, DType::Float64),
       {},
       R"(tensor([[0., 1., 2.],
        [3., 4., 5.]], dtype=torch.float64))"},
      {counting({2, 2, 2}),
       {},
       R"(tensor([[[0., 1.],
         [2., 3.]],

        [[4., 5.],
         [6., 7.]]]))"},
      {counting({2, 1, 2, 2}, DType::Int64),
       {},
       R"(tensor([[[[0, 1],
          [2, 3]]],


        [[[4, 5],
          [6, 7]]]]))"},
      {counting({5, 1}),
       {},
       R"(tensor([[0.],
        [1.],
        [2.],
        [3.],
        [4.]]))"},
      {counting({40}),
       {},
       R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,
        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,
        28., 29., 30., 31., 32., 33., 34., 35., 36., 37., 38., 39.]))"},
      {counting({25}, DType::Int64),
       {},
       R"(tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
        18, 19, 20, 21, 22, 23, 24]))"},
      {counting({2, 20}),
       {},
       R"(tensor([[ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,
         14., 15., 16., 17., 18., 19.],
        [20., 21., 22., 23., 24., 25., 26., 27., 28., 29., 30., 31., 32., 33.,
         34., 35., 36., 37., 38., 39.]]))"},
      {counting({1, 1, 1, 1, 30}, DType::Int64),
       {},
       R"(tensor([[[[[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16,
            17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]]]]]))"},
      {slice(counting({1000}, DType::Int64), 0, 0, 27),
       {},
       R"(tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
        18, 19, 20, 21, 22, 23, 24, 25, 26]))"},
      {counting({1001}, DType::Int64), {}, "tensor([   0,    1,    2,  ...,  998,  999, 1000])"},
      {counting({1001}), {}, "tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.])"},
      {mul(counting({1001}), 0.5), {}, "tensor([  0.0000,   0.5000,   1.0000,  ..., 499.0000, 499.5000, 500.0000])"},
      {counting({101, 10}, DType::Int64),
       {},
       R"(tensor([[   0,    1,    2,  ...,    7,    8,    9],
        [  10,   11,   12,  ...,   17,   18,   19],
        [  20,   21,   22,  ...,   27,   28,   29],
        ...,
        [ 980,  981,  982,  ...,  987,  988,  989],
        [ 990,  991,  992,  ...,  997,  998,  999],
        [1000, 1001, 1002,  ..., 1007, 1008, 1009]]))"},
      {counting({8, 8, 16}, DType::Int64),
       {},
       R"(tensor([[[   0,    1,    2,  ...,   13,   14,   15],
         [  16,   17,   18,  ...,   29,   30,   31],
         [  32,   33,   34,  ...,   45,   46,   47],
         ...,
         [  80,   81,   82,  ...,   93,   94,   95],
         [  96,   97,   98,  ...,  109,  110,  111],
         [ 112,  113,  114,  ...,  125,  126,  127]],

        [[ 128,  129,  130,  ...,  141,  142,  143],
         [ 144,  145,  146,  ...,  157,  158,  159],
         [ 160,  161,  162,  ...,  173,  174,  175],
         ...,
         [ 208,  209,  210,  ...,  221,  222,  223],
         [ 224,  225,  226,  ...,  237,  238,  239],
         [ 240,  241,  242,  ...,  253,  254,  255]],

        [[ 256,  257,  258,  ...,  269,  270,  271],
         [ 272,  273,  274,  ...,  285,  286,  287],
         [ 288,  289,  290,  ...,  301,  302,  303],
         ...,
         [ 336,  337,  338,  ...,  349,  350,  351],
         [ 352,  353,  354,  ...,  365,  366,  367],
         [ 368,  369,  370,  ...,  381,  382,  383]],

        ...,

        [[ 640,  641,  642,  ...,  653,  654,  655],
         [ 656,  657,  658,  ...,  669,  670,  671],
         [ 672,  673,  674,  ...,  685,  686,  687],
         ...,
         [ 720,  721,  722,  ...,  733,  734,  735],
         [ 736,  737,  738,  ...,  749,  750,  751],
         [ 752,  753,  754,  ...,  765,  766,  767]],

        [[ 768,  769,  770,  ...,  781,  782,  783],
         [ 784,  785,  786,  ...,  797,  798,  799],
         [ 800,  801,  802,  ...,  813,  814,  815],
         ...,
         [ 848,  849,  850,  ...,  861,  862,  863],
         [ 864,  865,  866,  ...,  877,  878,  879],
         [ 880,  881,  882,  ...,  893,  894,  895]],

        [[ 896,  897,  898,  ...,  909,  910,  911],
         [ 912,  913,  914,  ...,  925,  926,  927],
         [ 928,  929,  930,  ...,  941,  942,  943],
         ...,
         [ 976,  977,  978,  ...,  989,  990,  991],
         [ 992,  993,  994,  ..., 1005, 1006, 1007],
         [1008, 1009, 1010,  ..., 1021, 1022, 1023]]]))"},
      {counting({4, 300}, DType::Int64),
       {},
       R"(tensor([[   0,    1,    2,  ...,  297,  298,  299],
        [ 300,  301,  302,  ...,  597,  598,  599],
        [ 600,  601,  602,  ...,  897,  898,  899],
        [ 900,  901,  902,  ..., 1197, 1198, 1199]]))"},
      {counting({2, 2, 2, 251}, DType::Int64),
       {},
       R"(tensor([[[[   0,    1,    2,  ...,  248,  249,  250],
          [ 251,  252,  253,  ...,  499,  500,  501]],

         [[ 502,  503,  504,  ...,  750,  751,  752],
          [ 753,  754,  755,  ..., 1001, 1002, 1003]]],


        [[[1004, 1005, 1006,  ..., 1252, 1253, 1254],
          [1255, 1256, 1257,  ..., 1503, 1504, 1505]],

         [[1506, 1507, 1508,  ..., 1754, 1755, 1756],
          [1757, 1758, 1759,  ..., 2005, 2006, 2007]]]]))"},
      {t(counting({300, 4})),
       {},
       R"(tensor([[0.0000e+00, 4.0000e+00, 8.0000e+00,  ..., 1.1880e+03, 1.1920e+03,
         1.1960e+03],
        [1.0000e+00, 5.0000e+00, 9.0000e+00,  ..., 1.1890e+03, 1.1930e+03,
         1.1970e+03],
        [2.0000e+00, 6.0000e+00, 1.0000e+01,  ..., 1.1900e+03, 1.1940e+03,
         1.1980e+03],
        [3.0000e+00, 7.0000e+00, 1.1000e+01,  ..., 1.1910e+03, 1.1950e+03,
         1.1990e+03]]))"},
      {counting({0}), {}, "tensor([])"},
      {counting({0}, DType::Int64), {}, "tensor([], dtype=torch.int64)"},
      {counting({0}, DType::Bool), {}, "tensor([], dtype=torch.bool)"},
      {counting({0}, DType::Float64), {}, "tensor([], dtype=torch.float64)"},
      {counting({0, 3}), {}, "tensor([], size=(0, 3))"},
      {counting({2, 0, 3}, DType::Int64), {}, "tensor([], size=(2, 0, 3), dtype=torch.int64)"},
      {t(counting({2, 3})),
       {},
       R"(tensor([[0., 3.],
        [1., 4.],
        [2., 5.]]))"},
      {expand(counting({1, 3}), {2, 3}),
       {},
       R"(tensor([[0., 1., 2.],
        [0., 1., 2.]]))"},
      {floats({1.0F, 2.0F}, {2}), {true, "", false}, "tensor([1., 2.], requires_grad=True)"},
      {doubles({1.0, 2.0}, {2}), {true, "", false}, "tensor([1., 2.], dtype=torch.float64, requires_grad=True)"},
      {floats({1.5F}, {}), {true, "", false}, "tensor(1.5000, requires_grad=True)"},
      {counting({0, 3}), {true, "", false}, "tensor([], size=(0, 3), requires_grad=True)"},
      {counting({2, 2}),
       {true, "AddBackward0", false},
       R"(tensor([[0., 1.],
        [2., 3.]], grad_fn=<AddBackward0>))"},
      {counting({0, 2}, DType::Float64),
       {true, "AddBackward0", false},
       "tensor([], size=(0, 2), dtype=torch.float64, grad_fn=<AddBackward0>)"},
      {counting({2, 2}),
       {true, "", true},
       R"(Parameter containing:
tensor([[0., 1.],
        [2., 3.]], requires_grad=True))"},
      {counting({0}),
       {true, "", true},
       R"(Parameter containing:
tensor([], requires_grad=True))"},
      {counting({14}),
       {true, "", false},
       R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.],
       requires_grad=True))"},
      {counting({13}),
       {true, "", false},
       R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12.],
       requires_grad=True))"},
      {counting({12}),
       {true, "", false},
       R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11.],
       requires_grad=True))"},
      {counting({13}, DType::Float64),
       {true, "", false},
       R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12.],
       dtype=torch.float64, requires_grad=True))"},
      {counting({14}, DType::Float64),
       {true, "AddBackward0", false},
       R"(tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.],
       dtype=torch.float64, grad_fn=<AddBackward0>))"},
      {counting({2, 14}),
       {true, "AddBackward0", false},
       R"(tensor([[ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.],
        [14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.]],
       grad_fn=<AddBackward0>))"},
      {counting({2, 15}, DType::Float64),
       {true, "CloneBackward0", false},
       R"(tensor([[ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,
         14.],
        [15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27., 28.,
         29.]], dtype=torch.float64, grad_fn=<CloneBackward0>))"},
      {counting({60, 20}),
       {true, "", true},
       R"(Parameter containing:
tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.7000e+01, 1.8000e+01,
         1.9000e+01],
        [2.0000e+01, 2.1000e+01, 2.2000e+01,  ..., 3.7000e+01, 3.8000e+01,
         3.9000e+01],
        [4.0000e+01, 4.1000e+01, 4.2000e+01,  ..., 5.7000e+01, 5.8000e+01,
         5.9000e+01],
        ...,
        [1.1400e+03, 1.1410e+03, 1.1420e+03,  ..., 1.1570e+03, 1.1580e+03,
         1.1590e+03],
        [1.1600e+03, 1.1610e+03, 1.1620e+03,  ..., 1.1770e+03, 1.1780e+03,
         1.1790e+03],
        [1.1800e+03, 1.1810e+03, 1.1820e+03,  ..., 1.1970e+03, 1.1980e+03,
         1.1990e+03]], requires_grad=True))"},
  };
  for (const Case& one : cases) EXPECT_EQ(tensor_repr(one.x, one.tag), one.expected);
}

TEST(Print, item_text) {
  EXPECT_EQ(item_text(floats({0.1F}, {})), "0.10000000149011612");
  EXPECT_EQ(item_text(doubles({0.1}, {1, 1})), "0.1");
  EXPECT_EQ(item_text(floats({2}, {1})), "2.0");
  EXPECT_EQ(item_text(floats({kNaN}, {})), "nan");
  EXPECT_EQ(item_text(ints({-3}, {})), "-3");
  EXPECT_EQ(item_text(bools({true}, {})), "True");
}

TEST(Print, number_format_has_one_mode_for_the_tensor) {
  const Tensor mixed = floats({1, 2.5F, 0, kNaN}, {2, 2});
  EXPECT_EQ(NumberFormat(mixed)(mixed, 0), "1.0000");
  EXPECT_EQ(NumberFormat(mixed)(mixed, 3), "nan");
  EXPECT_EQ(NumberFormat(mixed)(0.25), "0.2500");
  const Tensor whole = floats({1, -20, kInf}, {3});
  EXPECT_EQ(NumberFormat(whole)(whole, 1), "-20.");
  EXPECT_EQ(NumberFormat(whole)(whole, 2), "inf");
  const Tensor far = floats({1, 1e-6F}, {2});
  EXPECT_EQ(NumberFormat(far)(far, 0), "1.0000e+00");
  const Tensor large = ints({std::numeric_limits<std::int64_t>::max()}, {1});
  EXPECT_EQ(NumberFormat(large)(large, 0), "9223372036854775807");
  const Tensor flags = bools({true, false}, {2});
  EXPECT_EQ(NumberFormat(flags)(flags, 1), "False");
  const Tensor turned = t(floats({1, 2, 3.5F, 4}, {2, 2}));
  EXPECT_EQ(NumberFormat(turned)(turned, 1), "3.5000");
}

}  // namespace
}  // namespace attn
