// Rows of layers: convolutions, pooling and others that src/lib/layers.py makes.
#include "nn/init.h"
#include "torch/lib.h"
#include "torch/nn/layer_call.h"

namespace attn {
namespace {

Value forward_conv(Interpreter& interpreter, Layer& layer, CallArguments& arguments) {
  if (str(setting(layer, "padding_mode")) != "zeros") {
    const Value input = only_input(layer, arguments);
    return interpreter.call(library_function(interpreter, "layers", "padded_conv"), {Ref<Layer>(&layer), input},
                            arguments.span);
  }
  const std::string op = layer.info->name == "Conv1d" ? "torch.nn.functional.conv1d" : "torch.nn.functional.conv2d";
  return call_layer_op(interpreter, op, arguments, only_input(layer, arguments),
                       {setting(layer, "weight"), setting(layer, "bias"), setting(layer, "stride"),
                        setting(layer, "padding"), setting(layer, "dilation"), setting(layer, "groups")});
}

constexpr std::string_view kConvSignature =
    "(in_channels: int, out_channels: int, kernel_size: any, stride: any = 1, padding: any = 0, dilation: any = 1, "
    "groups: int = 1, bias: bool = True, padding_mode: str = 'zeros', device: device? = None, dtype: dtype? = None)";

constexpr std::string_view kMaxPoolSignature =
    "(kernel_size: any, stride: any? = None, padding: any = 0, dilation: any = 1, return_indices: bool = False, "
    "ceil_mode: bool = False)";

constexpr std::string_view kAdaptiveMaxPoolSignature = "(output_size: any, return_indices: bool = False)";

constexpr std::string_view kTransposeSignature =
    "(in_channels: int, out_channels: int, kernel_size: any, stride: any = 1, padding: any = 0, output_padding: any = "
    "0, groups: int = 1, bias: bool = True, dilation: any = 1, padding_mode: str = 'zeros', device: device? = None, "
    "dtype: dtype? = None)";

constexpr std::string_view kInstanceNormSignature =
    "(num_features: int, eps: float = 1e-05, momentum: float = 0.1, affine: bool = False, track_running_stats: bool = "
    "False, device: device? = None, dtype: dtype? = None)";

constexpr std::string_view kDropoutSignature = "(p: float = 0.5, inplace: bool = False)";
constexpr std::string_view kPaddingSignature = "(padding: any)", kConstantSignature = "(padding: any, value: any)";
constexpr std::string_view kUpsamplingSignature = "(size: any? = None, scale_factor: any? = None)";

constexpr LayerInfo from_library(std::string_view name, std::string_view path, std::string_view signature,
                                 std::string_view doc, std::string_view example, std::string_view file = "layers") {
  return {name, path, signature, doc, example, nullptr, nullptr, nullptr, file};
}

constexpr LayerInfo of_images(std::string_view name, std::string_view path, std::string_view signature,
                              std::string_view doc, std::string_view example) {
  return from_library(name, path, signature, doc, example, "images");
}

constexpr LayerInfo kConvLayers[] = {
    {"Conv1d", "torch.nn.modules.conv.Conv1d", kConvSignature, "A window of learned weights slid along sequences.",
     "torch.manual_seed(0)\nconv = nn.Conv1d(2, 3, kernel_size=3, padding=1)\nconv(torch.ones(1, 2, 5))", nullptr,
     forward_conv, nullptr, "layers"},
    from_library("MaxPool1d", "torch.nn.modules.pooling.MaxPool1d", kMaxPoolSignature,
                 "The largest element of each window.", "nn.MaxPool1d(2)(torch.arange(6.).view(1, 6))"),
    from_library("MaxPool2d", "torch.nn.modules.pooling.MaxPool2d", kMaxPoolSignature,
                 "The largest element of each window.", "nn.MaxPool2d(2)(torch.arange(16.).view(1, 4, 4))"),
    from_library(
        "AvgPool1d", "torch.nn.modules.pooling.AvgPool1d",
        "(kernel_size: any, stride: any? = None, padding: any = 0, ceil_mode: bool = False, count_include_pad: bool = "
        "True)",
        "The average of each window.", "nn.AvgPool1d(2)(torch.arange(6.).view(1, 6))"),
    from_library(
        "AvgPool2d", "torch.nn.modules.pooling.AvgPool2d",
        "(kernel_size: any, stride: any? = None, padding: any = 0, ceil_mode: bool = False, count_include_pad: bool = "
        "True, divisor_override: any? = None)",
        "The average of each window.", "nn.AvgPool2d(2)(torch.arange(16.).view(1, 4, 4))"),
    from_library("AdaptiveAvgPool1d", "torch.nn.modules.pooling.AdaptiveAvgPool1d", "(output_size: any)",
                 "Averages over so many parts of the last axis.",
                 "nn.AdaptiveAvgPool1d(2)(torch.arange(6.).view(1, 6))"),
    from_library("AdaptiveAvgPool2d", "torch.nn.modules.pooling.AdaptiveAvgPool2d", "(output_size: any)",
                 "Averages over so many parts of the last two axes.",
                 "nn.AdaptiveAvgPool2d(1)(torch.arange(16.).view(1, 4, 4))"),
    from_library("AdaptiveMaxPool1d", "torch.nn.modules.pooling.AdaptiveMaxPool1d", kAdaptiveMaxPoolSignature,
                 "The largest element of each of so many parts of the last axis.",
                 "nn.AdaptiveMaxPool1d(2)(torch.arange(6.).view(1, 6))"),
    from_library("AdaptiveMaxPool2d", "torch.nn.modules.pooling.AdaptiveMaxPool2d", kAdaptiveMaxPoolSignature,
                 "The largest element of each of so many parts of the last two axes.",
                 "nn.AdaptiveMaxPool2d(1)(torch.arange(16.).view(1, 4, 4))"),
    from_library("Upsample", "torch.nn.modules.upsampling.Upsample",
                 "(size: any? = None, scale_factor: any? = None, mode: str = 'nearest', align_corners: any? = None, "
                 "recompute_scale_factor: any? = None)",
                 "Another size of images or sequences; each element is the nearest one.",
                 "nn.Upsample(scale_factor=2)(torch.arange(4.).view(1, 1, 2, 2))"),
    from_library("ConvTranspose2d", "torch.nn.modules.conv.ConvTranspose2d", kTransposeSignature,
                 "Spreads a window of learned weights from each place: images become larger.",
                 "torch.manual_seed(0)\nup = nn.ConvTranspose2d(1, 1, 2, stride=2)\nup(torch.ones(1, 1, 2, 2))"),
    from_library(
        "GroupNorm", "torch.nn.modules.normalization.GroupNorm",
        "(num_groups: int, num_channels: int, eps: float = 1e-05, affine: bool = True, device: device? = None, dtype: "
        "dtype? = None)",
        "Each group of channels shifted and scaled to mean 0 and variance 1.",
        "nn.GroupNorm(2, 4)(torch.arange(8.).view(1, 4, 2))"),
    from_library("PReLU", "torch.nn.modules.activation.PReLU",
                 "(num_parameters: int = 1, init: float = 0.25, device: device? = None, dtype: dtype? = None)",
                 "Negative numbers are scaled by a learned number.", "nn.PReLU()(torch.tensor([-1., 2.]))"),
    from_library("CosineSimilarity", "torch.nn.modules.distance.CosineSimilarity", "(dim: int = 1, eps: float = 1e-08)",
                 "The cosine of the angle between vectors.",
                 "nn.CosineSimilarity()(torch.ones(1, 2), torch.ones(1, 2))"),
    from_library("PairwiseDistance", "torch.nn.modules.distance.PairwiseDistance",
                 "(p: float = 2.0, eps: float = 1e-06, keepdim: bool = False)", "The distance of rows to one another.",
                 "nn.PairwiseDistance()(torch.zeros(1, 2), torch.tensor([[3., 4.]]))"),
    from_library(
        "Bilinear", "torch.nn.modules.linear.Bilinear",
        "(in1_features: int, in2_features: int, out_features: int, bias: bool = True, device: device? = None, dtype: "
        "dtype? = None)",
        "Each output weighs the products of all pairs of features by learned numbers.",
        "torch.manual_seed(0)\nnn.Bilinear(2, 2, 1)(torch.ones(1, 2), torch.ones(1, 2))"),
    from_library("ConvTranspose1d", "torch.nn.modules.conv.ConvTranspose1d", kTransposeSignature,
                 "Spreads a window of learned weights from each place: sequences become longer.",
                 "torch.manual_seed(0)\nup = nn.ConvTranspose1d(1, 1, 2, stride=2)\nup(torch.ones(1, 1, 2))"),
    from_library("UpsamplingNearest2d", "torch.nn.modules.upsampling.UpsamplingNearest2d", kUpsamplingSignature,
                 "Another size of images; each element is the nearest one.",
                 "nn.UpsamplingNearest2d(scale_factor=2)(torch.arange(4.).view(1, 1, 2, 2))"),
    from_library("UpsamplingBilinear2d", "torch.nn.modules.upsampling.UpsamplingBilinear2d", kUpsamplingSignature,
                 "Another size of images; each element lies between the nearest ones.",
                 "nn.UpsamplingBilinear2d(scale_factor=2)(torch.arange(4.).view(1, 1, 2, 2))"),
    of_images("Dropout1d", "torch.nn.modules.dropout.Dropout1d", kDropoutSignature,
              "Drops whole channels of sequences while training.",
              "torch.manual_seed(0)\nnn.Dropout1d()(torch.ones(1, 4, 2))"),
    of_images("Dropout2d", "torch.nn.modules.dropout.Dropout2d", kDropoutSignature,
              "Drops whole channels of images while training.",
              "torch.manual_seed(0)\nnn.Dropout2d()(torch.ones(1, 4, 1, 2))"),
    of_images("Dropout3d", "torch.nn.modules.dropout.Dropout3d", kDropoutSignature,
              "Drops whole channels of volumes while training.",
              "torch.manual_seed(0)\nnn.Dropout3d()(torch.ones(1, 4, 1, 1, 2))"),
    of_images("InstanceNorm1d", "torch.nn.modules.instancenorm.InstanceNorm1d", kInstanceNormSignature,
              "Each channel of each sequence shifted and scaled to mean 0 and variance 1.",
              "nn.InstanceNorm1d(2)(torch.arange(8.).view(1, 2, 4))"),
    of_images("InstanceNorm2d", "torch.nn.modules.instancenorm.InstanceNorm2d", kInstanceNormSignature,
              "Each channel of each image shifted and scaled to mean 0 and variance 1.",
              "nn.InstanceNorm2d(2)(torch.arange(8.).view(1, 2, 2, 2))"),
    of_images("PixelShuffle", "torch.nn.modules.pixelshuffle.PixelShuffle", "(upscale_factor: int)",
              "Channels laid out as places: an image of more rows and columns.",
              "nn.PixelShuffle(2)(torch.arange(4.).view(1, 4, 1, 1))"),
    of_images("PixelUnshuffle", "torch.nn.modules.pixelshuffle.PixelUnshuffle", "(downscale_factor: int)",
              "Places laid out as channels: a smaller image.",
              "nn.PixelUnshuffle(2)(torch.arange(4.).view(1, 1, 2, 2))"),
    of_images("ChannelShuffle", "torch.nn.modules.channelshuffle.ChannelShuffle", "(groups: int)",
              "Channels dealt out so that each group gets some of every other one.",
              "nn.ChannelShuffle(2)(torch.arange(4.).view(1, 4, 1))"),
    of_images("Softmax2d", "torch.nn.modules.activation.Softmax2d", "()",
              "Weights over the channels of each place of an image.",
              "nn.Softmax2d()(torch.arange(4.).view(1, 2, 1, 2))"),
    of_images("ReflectionPad1d", "torch.nn.modules.padding.ReflectionPad1d", kPaddingSignature,
              "Continues sequences as in a mirror.", "nn.ReflectionPad1d(1)(torch.arange(3.).view(1, 1, 3))"),
    of_images("ReflectionPad2d", "torch.nn.modules.padding.ReflectionPad2d", kPaddingSignature,
              "Continues images as in a mirror.", "nn.ReflectionPad2d(1)(torch.arange(4.).view(1, 1, 2, 2))"),
    of_images("ReplicationPad1d", "torch.nn.modules.padding.ReplicationPad1d", kPaddingSignature,
              "Continues sequences as they end.", "nn.ReplicationPad1d(1)(torch.arange(3.).view(1, 1, 3))"),
    of_images("ReplicationPad2d", "torch.nn.modules.padding.ReplicationPad2d", kPaddingSignature,
              "Continues images as they end.", "nn.ReplicationPad2d(1)(torch.arange(4.).view(1, 1, 2, 2))"),
    of_images("ZeroPad2d", "torch.nn.modules.padding.ZeroPad2d", kPaddingSignature, "Zeros around images.",
              "nn.ZeroPad2d(1)(torch.ones(1, 1, 2, 2))"),
    of_images("ConstantPad1d", "torch.nn.modules.padding.ConstantPad1d", kConstantSignature,
              "A number beside sequences.", "nn.ConstantPad1d(1, 2.)(torch.ones(1, 1, 3))"),
    of_images("ConstantPad2d", "torch.nn.modules.padding.ConstantPad2d", kConstantSignature, "A number around images.",
              "nn.ConstantPad2d(1, 2.)(torch.ones(1, 1, 2, 2))"),
    {"Conv2d", "torch.nn.modules.conv.Conv2d", kConvSignature,
     "A window of learned weights slid over images; with stride equal to its size it maps patches.",
     "torch.manual_seed(0)\nconv = nn.Conv2d(3, 4, kernel_size=2, stride=2)\nconv(torch.ones(1, 3, 4, 4))", nullptr,
     forward_conv, nullptr, "layers"},
};

}  // namespace

Value draw_conv(Interpreter& interpreter, CallArguments& arguments) {
  interpreter.require_effects("wrong_cell.draw", {});
  Layer& layer = *arguments.positional.at(0).as<Layer>();
  const std::vector<Value> sizes(arguments.positional.begin() + 2, arguments.positional.end());
  Shape shape;
  for (const Value& size : sizes) shape.push_back(*as_index(size));
  const ConvParameters made = init_conv(shape, truthy(arguments.positional[1]), interpreter.generator());
  add_parameter(layer, "weight", made.weight, sizes);
  add_parameter(layer, "bias", made.bias, {sizes[0]});
  return {};
}

std::span<const LayerInfo> conv_layers() { return kConvLayers; }

}  // namespace attn
