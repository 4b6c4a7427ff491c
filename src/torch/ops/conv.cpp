// Rows of convolutions. A convolution is a composite: cut the image into patches, multiply by the weights, add the
// bias.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/diagnostic.h"
#include "tensor/core/error.h"
#include "tensor/ops/patches.h"
#include "tensor/ops/pointwise.h"
#include "torch/axis_names.h"
#include "torch/axis_rules.h"
#include "torch/lib.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/operand_checks.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

// "(4 x 4)"
std::string sizes_text(const Shape& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out += (out.empty() ? "" : " x ") + std::to_string(size);
  return "(" + out + ")";
}

// One number for all axes, or one for each.
Shape per_axis(const OpCall& call, std::string_view name, std::size_t dims) {
  Shape given = call.ints(name);
  if (given.size() == 1) given.resize(dims, given[0]);
  if (given.size() == dims) return given;
  throw TensorError("conv.sizes", Code::Shape, "RuntimeError",
                    fmt::format("expected {} to be a single integer value or a list of {} values to match the "
                                "convolution dimensions, but got {}={}",
                                name, dims, name, shape_text(given)));
}

// ---- unfold ----

std::array<std::int64_t, 2> pair_of(const Shape& sizes) { return {sizes[0], sizes[1]}; }

Value patches_op(OpCall& call) {
  const PatchOptions options{pair_of(call.ints("kernel_size")), pair_of(call.ints("dilation")),
                             pair_of(call.ints("stride")), pair_of(call.ints("before")), pair_of(call.ints("after"))};
  return make_tensor(patches(call.tensor("input"), options));
}

// F.unfold takes one number or two, and no tuple of one.
void require_pair(const OpCall& call, const char* name) {
  const auto count = call.ints(name).size();
  if (count == 2 || call.value(name).as_int()) return;
  throw TensorError("unfold.sizes", Code::Value, "RuntimeError",
                    fmt::format("It is expected {} equals to 2, but got size {}", name, count));
}

// Whether an axis other than the batch has no places. PyTorch looks at the second and third before it counts axes.
bool has_empty_image(const Tensor& x) {
  if (x.size(axis_of(1, x.dim())) == 0 || x.size(axis_of(2, x.dim())) == 0) return true;
  return x.dim() == 3 ? x.size(0) == 0 : x.dim() == 4 && x.size(3) == 0;
}

Value unfold_image_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  for (const char* name : {"kernel_size", "dilation", "padding", "stride"}) require_pair(call, name);
  const Shape kernel = per_axis(call, "kernel_size", 2), dilation = per_axis(call, "dilation", 2),
              padding = per_axis(call, "padding", 2), stride = per_axis(call, "stride", 2);
  for (const Shape* sizes : {&kernel, &dilation, &stride})
    if (std::min((*sizes)[0], (*sizes)[1]) < 1)
      throw TensorError("unfold.sizes", Code::Value, "RuntimeError",
                        "unfold: kernel size, dilation and stride should be greater than zero");
  if (has_empty_image(x) || x.dim() > 4) {
    throw TensorError("unfold.dims", Code::Shape, "RuntimeError",
                      fmt::format("Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
                                  "dimensions for input, but got: {}",
                                  shape_text(x.shape())));
  }
  Value input = call.value("input");
  if (x.dim() == 3) input = call.call("torch.unsqueeze", {input, int_value(0)});
  const auto counts =
      patch_counts(x.size(x.dim() - 2), x.size(x.dim() - 1),
                   {pair_of(kernel), pair_of(dilation), pair_of(stride), pair_of(padding), pair_of(padding)});
  if (counts[0] < 1 || counts[1] < 1) {
    throw TensorError("unfold.size", Code::Shape, "RuntimeError",
                      "unfold: the kernel is larger than the padded input: no patch fits into it");
  }
  require_floating(x.dtype(), "im2col_out_cpu");
  Value out = call.call("op.patches", {input, make_size(kernel), make_size(dilation), make_size(stride),
                                       make_size(padding), make_size(padding)});
  if (x.dim() == 3) out = call.call("torch.squeeze", {out, int_value(0)});
  return composite(call, out, x.dim() == 3 ? "SqueezeBackward1" : "Im2ColBackward0");
}

// ---- convolutions ----

/// The settings of one call, per spatial axis.
struct Convolution {
  std::size_t dims = 2;
  Shape kernel, stride, dilation, before, after;
  std::int64_t groups = 1;
};

// padding='same' puts the odd zero behind.
void set_padding(OpCall& call, Convolution& conv) {
  const Str* word = call.value("padding").as<Str>();
  if (!word) {
    conv.before = conv.after = per_axis(call, "padding", conv.dims);
    return;
  }
  if (word->text != "same" && word->text != "valid")
    throw TensorError("conv.padding", Code::Value, "RuntimeError",
                      fmt::format("Invalid padding string: '{}'", word->text));
  if (word->text == "same" && std::any_of(conv.stride.begin(), conv.stride.end(), [](auto step) { return step != 1; }))
    throw TensorError("conv.padding", Code::Value, "RuntimeError",
                      "padding='same' is not supported for strided convolutions");
  for (std::size_t i = 0; i < conv.dims; ++i) {
    const std::int64_t total = word->text == "same" ? conv.dilation[i] * (conv.kernel[i] - 1) : 0;
    conv.before.push_back(total / 2);
    conv.after.push_back(total - total / 2);
  }
}

void check_conv_types(const OpCall& call) {
  const DType input = call.tensor("input").dtype();
  const std::string_view other = call.has("bias") ? "bias" : "weight";
  if (input == call.tensor(other).dtype()) return;
  throw TensorError("conv.dtype", Code::Type, "RuntimeError",
                    fmt::format("Input type ({}) and {} type ({}) should be the same", type_word(input), other,
                                type_word(call.tensor(other).dtype())));
}

std::int64_t least(const Shape& numbers) { return *std::min_element(numbers.begin(), numbers.end()); }

void check_shapes(const OpCall& call, const Convolution& conv) {
  const Tensor &x = call.tensor("input"), &weight = call.tensor("weight");
  const auto dims = static_cast<std::int64_t>(conv.dims);
  if (x.dim() != dims + 1 && x.dim() != dims + 2) {
    throw TensorError(
        "conv.dims", Code::Shape, "RuntimeError",
        fmt::format("Expected {}D (unbatched) or {}D (batched) input to conv{}d, but got input of size: {}", dims + 1,
                    dims + 2, dims, shape_text(x.shape())));
  }
  if (conv.groups <= 0)
    throw TensorError("conv.groups", Code::Value, "RuntimeError", "non-positive groups is not supported");
  if (least(conv.before) < 0 || least(conv.after) < 0)
    throw TensorError("conv.padding", Code::Value, "RuntimeError", "negative padding is not supported");
  if (least(conv.stride) <= 0)
    throw TensorError("conv.stride", Code::Value, "RuntimeError", "non-positive stride is not supported");
  Shape shape = x.shape();
  if (x.dim() == dims + 1) shape.insert(shape.begin(), 1);
  if (weight.size(0) < conv.groups || weight.size(0) % conv.groups != 0)
    throw TensorError(
        "conv.groups", Code::Shape, "RuntimeError",
        fmt::format("Given groups={}, expected weight to be {} at dimension 0, but got weight of size {} instead",
                    conv.groups,
                    weight.size(0) < conv.groups ? fmt::format("at least {}", conv.groups)
                                                 : fmt::format("divisible by {}", conv.groups),
                    shape_text(weight.shape())));
  if (shape[1] != weight.size(1) * conv.groups) {
    throw TensorError(
        "conv.channels", Code::Shape, "RuntimeError",
        fmt::format("Given groups={}, weight of size {}, expected input{} to have {} channels, but got {} "
                    "channels instead",
                    conv.groups, shape_text(weight.shape()), shape_text(shape), weight.size(1) * conv.groups, shape[1]),
        {{"input", shape[1]}, {"weight", weight.size(1) * conv.groups}});
  }
  if (call.has("bias") && call.tensor("bias").shape() != Shape{weight.size(0)}) {
    throw TensorError("conv.bias", Code::Shape, "RuntimeError",
                      fmt::format("Given weight of size {}, expected bias to be 1-dimensional with {} elements, but "
                                  "got bias of size {} instead",
                                  shape_text(weight.shape()), weight.size(0), shape_text(call.tensor("bias").shape())));
  }
  Shape padded, extent;
  bool fits = true;
  for (std::size_t i = 0; i < conv.dims; ++i) {
    padded.push_back(shape[i + 2] + conv.before[i] + conv.after[i]);
    extent.push_back(conv.dilation[i] * (conv.kernel[i] - 1) + 1);
    fits = fits && padded[i] >= extent[i];
  }
  if (!fits)
    throw TensorError("conv.kernel", Code::Shape, "RuntimeError",
                      fmt::format("Calculated padded input size per channel: {}. Kernel size: {}. Kernel size can't be "
                                  "greater than actual input size",
                                  sizes_text(padded), sizes_text(extent)));
  if (least(conv.dilation) <= 0)
    throw TensorError("conv.dilation", Code::Value, "RuntimeError", "non-positive dilation is not supported");
}

// One spatial axis is seen as an image of one row.
Shape as_image(const Shape& sizes, std::int64_t row) { return sizes.size() == 2 ? sizes : Shape{row, sizes[0]}; }

// weight (out, in / groups, kernel...) times columns (N, in * kernel, number): (N, out, number)
Value grouped_product(OpCall& call, const Value& columns, std::int64_t groups) {
  const Shape weight = call.tensor("weight").shape();
  const Tensor& cut = columns.as<TensorObject>()->tensor;
  const std::int64_t out = weight[0], batch = cut.size(0), inner = cut.size(1) / groups, number = cut.size(2);
  if (groups == 1) {
    const Value matrix = call.call("torch.reshape", {call.value("weight"), make_size({out, inner})});
    return call.call("torch.matmul", {matrix, columns});
  }
  const Value matrix = call.call("torch.reshape", {call.value("weight"), make_size({groups, out / groups, inner})});
  const Value parts = call.call("torch.reshape", {columns, make_size({batch, groups, inner, number})});
  return call.call("torch.reshape", {call.call("torch.matmul", {matrix, parts}), make_size({batch, out, number})});
}

// Without examples PyTorch does a multiplication and an addition alone; of no channels it makes no channels.
Value empty_convolution(OpCall& call, const Convolution& conv) {
  const Tensor &x = call.tensor("input"), &weight = call.tensor("weight");
  const bool is_batched = x.dim() == static_cast<std::int64_t>(conv.dims) + 2;
  Shape shape = x.shape();
  if (!is_batched) shape.insert(shape.begin(), 1);
  if (shape[0] != 0 && shape[1] != 0) {
    Shape seen = shape;
    if (conv.dims == 1) seen.insert(seen.begin() + 2, 1);
    throw TensorError("conv.empty", Code::Shape, "RuntimeError",
                      "Only zero batch or zero channel inputs are supported, but got input shape: " + shape_text(seen));
  }
  if (shape[1] != 0) shape[1] = weight.size(0);
  for (std::size_t i = 0; i < conv.dims; ++i) {
    const std::int64_t extent = conv.dilation[i] * (conv.kernel[i] - 1) + 1;
    shape[i + 2] = (shape[i + 2] + conv.before[i] + conv.after[i] - extent) / conv.stride[i] + 1;
  }
  if (!is_batched) shape.erase(shape.begin());
  const Value result =
      call.call("torch.zeros", {make_size(shape)}, {{"dtype", make<DTypeObject>(result_type(x, weight))}});
  return composite(call, result, is_batched ? "ConvolutionBackward0" : "SqueezeBackward1");
}

Value conv_op(OpCall& call) {
  Convolution conv;
  conv.dims = call.info().name == "conv1d" ? 1 : 2;
  const Tensor& weight = call.tensor("weight");
  const auto dims = static_cast<std::int64_t>(conv.dims);
  if (weight.dim() != dims + 2) {
    throw TensorError(
        "conv.weight", Code::Shape, "RuntimeError",
        fmt::format("weight should have {} axes, but has shape {}", dims + 2, shape_text(weight.shape())));
  }
  conv.kernel.assign(weight.shape().begin() + 2, weight.shape().end());
  conv.stride = per_axis(call, "stride", conv.dims);
  conv.dilation = per_axis(call, "dilation", conv.dims);
  conv.groups = call.integer("groups");
  set_padding(call, conv);
  if (conv.dims == 2 && call.has("bias")) check_conv_types(call);  // before all else, and even without elements
  check_shapes(call, conv);
  const bool is_empty = call.tensor("input").numel() == 0;
  if (!is_empty) check_conv_types(call);
  if (is_empty) return empty_convolution(call, conv);

  const bool is_batched = call.tensor("input").dim() == dims + 2;
  Value x = is_batched ? call.value("input") : call.call("torch.unsqueeze", {call.value("input"), int_value(0)});
  if (dims == 1) x = call.call("torch.unsqueeze", {x, int_value(2)});
  const Shape image = x.as<TensorObject>()->tensor.shape();
  const PatchOptions options{pair_of(as_image(conv.kernel, 1)), pair_of(as_image(conv.dilation, 1)),
                             pair_of(as_image(conv.stride, 1)), pair_of(as_image(conv.before, 0)),
                             pair_of(as_image(conv.after, 0))};
  const auto sizes = [](const std::array<std::int64_t, 2>& pair) { return make_size({pair[0], pair[1]}); };
  const Value columns = call.call("op.patches", {x, sizes(options.kernel), sizes(options.dilation),
                                                 sizes(options.stride), sizes(options.before), sizes(options.after)});
  Value result = grouped_product(call, columns, conv.groups);
  if (call.has("bias")) {
    const Value bias = call.call("torch.reshape", {call.value("bias"), make_size({weight.size(0), 1})});
    result = call.call("torch.add", {result, bias});
  }
  const auto counts = patch_counts(image[2], image[3], options);
  Shape shape = {image[0], weight.size(0)};
  if (dims == 2) shape.push_back(counts[0]);
  shape.push_back(counts[1]);
  result = call.call("torch.reshape", {result, make_size(shape)});
  if (!is_batched) result = call.call("torch.squeeze", {result, int_value(0)});
  return composite(call, result, is_batched ? "ConvolutionBackward0" : "SqueezeBackward1");
}

// The axes of the image; the channels are those of the weight.
Axes conv_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  const std::size_t spatial = call.handle("weight").axes.size() - 2;
  if (axes.size() <= spatial) return fitted({}, output);
  for (Axis& axis : axes) axis = without_words(axis);
  axes[axes.size() - spatial - 1] = call.handle("weight").axes[0];
  return fitted(axes, output);
}

constexpr const char* kConv =
    "(input: Tensor, weight: Tensor, bias: Tensor? = None, stride: ints = 1, padding: ints = 0, dilation: ints = 1, "
    "groups: int = 1) | "
    "(input: Tensor, weight: Tensor, bias: Tensor? = None, stride: ints = 1, padding: str = 'valid', "
    "dilation: ints = 1, groups: int = 1)";

constexpr char kPoolingFile[] = "pooling";
constexpr OpInfo pooling_row(std::string_view spellings, std::string_view signature, std::string_view doc,
                             std::string_view example, std::string_view grad_fn = "ViewBackward0") {
  return {spellings,
          signature,
          doc,
          example,
          library_op<kPoolingFile>,
          {.axes = axis_rule::none, .element = kComposite, .grad_fn = grad_fn}};
}
constexpr const char* kMaxPool =
    "(input: Tensor, kernel_size: ints, stride: ints? = None, padding: ints = 0, dilation: ints = 1, ceil_mode: bool = "
    "False, return_indices: bool = False)";
constexpr const char* kAvgPool =
    "(input: Tensor, kernel_size: ints, stride: ints? = None, padding: ints = 0, ceil_mode: bool = False, "
    "count_include_pad: bool = True)";
constexpr const char* kAvgPool2d =
    "(input: Tensor, kernel_size: ints, stride: ints? = None, padding: ints = 0, ceil_mode: bool = False, "
    "count_include_pad: bool = True, divisor_override: int? = None)";
constexpr const char* kAdaptiveMaxPool = "(input: Tensor, output_size: any, return_indices: bool = False)";

const OpInfo kConvOps[] = {
    OpInfo("torch.nn.functional.conv1d torch.conv1d", kConv,
           "A window of weights slid along a sequence: each place gives the product with what is under the window.",
           "F.conv1d(torch.arange(6.).view(1, 1, 6), torch.tensor([[[1., -1.]]]))", conv_op,
           {.axes = conv_axes, .element = kComposite, .grad_fn = "ConvolutionBackward0"}),
    OpInfo("torch.nn.functional.conv2d torch.conv2d", kConv,
           "A window of weights slid over an image: each place gives the product with what is under the window.",
           "F.conv2d(torch.arange(16.).view(1, 1, 4, 4), torch.ones(1, 1, 2, 2), stride=2)", conv_op,
           {.axes = conv_axes, .element = kComposite, .grad_fn = "ConvolutionBackward0"}),
    OpInfo("torch.nn.functional.unfold",
           "(input: Tensor, kernel_size: ints, dilation: ints = 1, padding: ints = 0, stride: ints = 1)",
           "Cuts an image into patches, one per column.", "F.unfold(torch.arange(16.).view(1, 1, 4, 4), 2, stride=2)",
           unfold_image_op, {.axes = axis_rule::none, .element = kComposite, .grad_fn = "Im2ColBackward0"}),
    pooling_row("torch.nn.functional.max_pool1d", kMaxPool, "The largest element of each window.",
                "F.max_pool1d(torch.arange(6.).view(1, 6), 2)", "SqueezeBackward1"),
    pooling_row("torch.nn.functional.max_pool2d", kMaxPool, "The largest element of each window.",
                "F.max_pool2d(torch.arange(16.).view(1, 4, 4), 2)", "MaxPool2DWithIndicesBackward0"),
    pooling_row("torch.nn.functional.avg_pool1d torch.avg_pool1d", kAvgPool, "The average of each window.",
                "F.avg_pool1d(torch.arange(6.).view(1, 6), 2)"),
    pooling_row("torch.nn.functional.avg_pool2d", kAvgPool2d, "The average of each window.",
                "F.avg_pool2d(torch.arange(16.).view(1, 4, 4), 2)"),
    pooling_row("torch.nn.functional.adaptive_avg_pool1d torch.adaptive_avg_pool1d",
                "(input: Tensor, output_size: any)", "Averages over so many parts of the last axis.",
                "F.adaptive_avg_pool1d(torch.arange(6.).view(1, 6), 2)"),
    pooling_row("torch.nn.functional.adaptive_avg_pool2d", "(input: Tensor, output_size: any)",
                "Averages over so many parts of the last two axes.",
                "F.adaptive_avg_pool2d(torch.arange(16.).view(1, 4, 4), 2)"),
    pooling_row("torch.nn.functional.adaptive_max_pool1d", kAdaptiveMaxPool,
                "The largest element of each of so many parts of the last axis.",
                "F.adaptive_max_pool1d(torch.arange(6.).view(1, 6), 2)", "SqueezeBackward1"),
    pooling_row("torch.nn.functional.adaptive_max_pool2d", kAdaptiveMaxPool,
                "The largest element of each of so many parts of the last two axes.",
                "F.adaptive_max_pool2d(torch.arange(16.).view(1, 4, 4), 2)", "AdaptiveMaxPool2DBackward0"),
    pooling_row(
        "torch.nn.functional.interpolate",
        "(input: Tensor, size: any? = None, scale_factor: any? = None, mode: str = 'nearest', align_corners: "
        "bool? = None, recompute_scale_factor: bool? = None, antialias: bool = False)",
        "Another size of images or sequences; each element is the nearest one, or a mixture of its neighbors by mode=.",
        "F.interpolate(torch.arange(4.).view(1, 1, 2, 2), scale_factor=2)"),
    OpInfo("op.patches",
           "(input: Tensor, kernel_size: shape, dilation: shape, stride: shape, before: shape, after: shape)",
           "The patches of an image, one per column: the first step of a convolution.",
           "F.unfold(torch.arange(9.).view(1, 1, 3, 3), 2)", patches_op,
           {.axes = axis_rule::none, .element = kIndexMap, .grad_fn = "Im2ColBackward0"}),
};

}  // namespace

std::span<const OpInfo> conv_ops() { return kConvOps; }

}  // namespace attn
