// Rows that put elements in other places: rolled, reversed, repeated, padded.
#include "tensor/ops/arrange.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "python/interpreter.h"
#include "tensor/core/error.h"
#include "tensor/core/scalar_type.h"
#include "tensor/ops/create.h"
#include "tensor/ops/gather.h"
#include "tensor/ops/join.h"
#include "tensor/ops/layout.h"
#include "tensor/ops/pointwise.h"
#include "text/unsupported.h"
#include "torch/axis_names.h"
#include "torch/axis_rules.h"
#include "torch/ops/families.h"
#include "torch/ops/functions.h"
#include "torch/ops/pieces.h"
#include "torch/ops/rows.h"

namespace attn {
namespace {

Value roll_op(OpCall& call) { return make_tensor(roll(call.tensor("input"), call.ints("shifts"), call.ints("dims"))); }
Value flip_op(OpCall& call) { return make_tensor(flip(call.tensor("input"), call.ints("dims"))); }

// fliplr turns the second axis round, flipud the first.
template <std::int64_t kAxis>
Value flip_axis_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (x.dim() <= kAxis)
    refuse("flip.dims", Code::Shape, "RuntimeError", fmt::format("Input must be >= {}-d.", kAxis + 1));
  return make_tensor(flip(x, {kAxis}));
}

// ---- repeating ----

Value repeat_interleave_op(OpCall& call) {
  if (!call.takes("input")) return make_tensor(repeat_interleave(call.tensor("repeats")));
  const Tensor& x = call.tensor("input");
  const Tensor counts =
      call.inputs().size() > 1 ? call.tensor("repeats") : full({}, Scalar(call.integer("repeats")), DType::Int64);
  if (call.has("dim") && x.dim() == 0 && counts.dim() <= 1) axis_of(call.integer("dim"), 0);
  const Tensor from = call.has("dim") ? x : reshape(x, {-1});
  return make_tensor(repeat_interleave(from, counts, call.has("dim") ? call.integer("dim") : 0));
}

Shape tile_counts(const OpCall& call) {
  Shape counts = call.ints("dims");
  const auto dims = static_cast<std::size_t>(call.tensor("input").dim());
  if (counts.size() < dims) counts.insert(counts.begin(), dims - counts.size(), 1);
  return counts;
}
Value tile_op(OpCall& call) { return make_tensor(repeat(call.tensor("input"), tile_counts(call))); }

Value broadcast_to_op(OpCall& call) { return make_tensor(expand(call.tensor("input"), call.ints("size"))); }

Value broadcast_tensors_op(OpCall& call) {
  const std::vector<TensorObject*> handles = only_tensors(call, "tensors", false);
  Shape shape;
  for (const TensorObject* handle : handles) shape = broadcast_shapes(shape, handle->tensor.shape());
  std::vector<Tensor> results;
  for (const TensorObject* handle : handles) results.push_back(expand(handle->tensor, shape));
  return tensor_tuple(std::move(results));
}

// ---- axes ----

Shape wrapped(const Shape& dims, std::int64_t count) {
  Shape out;
  for (const std::int64_t dim : dims) out.push_back(wrap_dim(dim, count));
  return out;
}

// All distinct, or PyTorch's complaint.
void check_moved(const Shape& dims, const Shape& given, const char* name) {
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (std::count(dims.begin(), dims.end(), dims[i]) > 1)
      refuse("movedim.repeat", Code::Value, "RuntimeError",
             fmt::format("movedim: repeated dim in `{}` ({})", name, shape_text(given)));
}

// The order of axes that puts each source at its destination and keeps the order of the others.
Shape moved_order(const OpCall& call) {
  const std::int64_t count = call.tensor("input").dim();
  const Shape source = call.ints("source"), destination = call.ints("destination");
  const auto is_sequence = [&](const char* name) {
    return call.value(name).as<Tuple>() || call.value(name).as<List>();
  };
  if (is_sequence("source") != is_sequence("destination"))
    refuse("movedim.type", Code::Type, "TypeError",
           "movedim() received an invalid combination of arguments: source and destination must both be ints or both "
           "be tuples");
  if (source.size() != destination.size())
    refuse(
        "movedim.count", Code::Value, "RuntimeError",
        fmt::format("movedim: Invalid source or destination dims: source ({} dims) should contain the same number of "
                    "dims as destination ({} dims)",
                    shape_text(source), shape_text(destination)));
  const Shape from = wrapped(source, count), to = wrapped(destination, count);
  check_moved(from, source, "source");
  check_moved(to, destination, "destination");
  Shape order(static_cast<std::size_t>(count), -1);
  for (std::size_t i = 0; i < from.size() && count > 0; ++i) order[static_cast<std::size_t>(to[i])] = from[i];
  std::int64_t next = 0;
  for (std::int64_t& place : order) {
    if (place >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    place = next++;
  }
  return order;
}

Value movedim_op(OpCall& call) { return make_tensor(permute(call.tensor("input"), moved_order(call))); }

Axes movedim_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes;
  for (const std::int64_t place : moved_order(call))
    axes.push_back(call.handle("input").axes[static_cast<std::size_t>(place)]);
  return fitted(std::move(axes), output);
}

Value unflatten_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const std::int64_t axis = axis_of(wrap_dim(call.integer("dim"), x.dim()), x.dim());
  const Shape sizes = call.ints("sizes");
  if (sizes.empty()) refuse("unflatten.sizes", Code::Value, "RuntimeError", "unflatten: sizes must be non-empty");
  const std::int64_t size = x.size(axis), unknown = std::count(sizes.begin(), sizes.end(), -1);
  std::int64_t product = 1;
  for (const std::int64_t part : sizes) product *= part == -1 ? 1 : part;
  const bool fits = unknown == 0 ? product == size : product != 0 && size % product == 0;
  if (!fits)
    refuse("unflatten.product", Code::Shape, "RuntimeError",
           fmt::format("unflatten: Provided sizes {} don't multiply up to the size of dim {} ({}) in the input tensor",
                       shape_text(sizes), axis, size));
  Shape shape(x.shape().begin(), x.shape().begin() + axis);
  shape.insert(shape.end(), sizes.begin(), sizes.end());
  std::replace(shape.begin(), shape.end(), std::int64_t{-1}, size / std::max<std::int64_t>(product, 1));
  shape.insert(shape.end(), x.shape().begin() + axis + 1, x.shape().end());
  return make_tensor(view(x, shape));
}

// The parts are named by the sizes that were asked for.
Axes unflatten_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  const std::vector<Value> sizes = call.int_values("sizes");
  const std::int64_t axis = wrap_dim(call.integer("dim"), static_cast<std::int64_t>(axes.size()));
  axes.erase(axes.begin() + axis);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t place = axis + static_cast<std::int64_t>(i);
    axes.insert(axes.begin() + place, axis_from(sizes[i], output.size(place)));
  }
  return fitted(std::move(axes), output);
}

Value ravel_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  return differentiable(call, reshape(x, {-1}), x.is_contiguous() ? "ViewBackward0" : "UnsafeViewBackward0");
}

// Windows of `size` places along an axis, `step` apart: a view with a new last axis.
Value unfold_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const std::int64_t axis = wrap_dim(call.integer("dimension"), x.dim());
  const std::int64_t size = call.integer("size"), step = call.integer("step");
  const std::int64_t whole = x.dim() ? x.size(axis) : 1;
  if (size > whole)
    refuse("unfold.size", Code::Shape, "RuntimeError",
           fmt::format("maximum size for tensor at dimension {} is {} but size is {}", axis, whole, size));
  if (size < 0)
    refuse("unfold.size", Code::Shape, "RuntimeError",
           fmt::format("Storage size calculation overflowed: the windows have {} places", size));
  if (step <= 0) refuse("unfold.step", Code::Value, "RuntimeError", fmt::format("step is {} but must be > 0", step));
  Shape shape = x.shape(), strides = x.strides();
  if (x.dim() > 0) {
    const auto place = static_cast<std::size_t>(axis);
    shape[place] = (whole - size) / step + 1;
    strides.push_back(strides[place]);
    strides[place] *= step;
  } else {
    strides.push_back(1);
  }
  shape.push_back(size);
  return make_tensor(x.as_strided(shape, strides, x.offset()));
}

Value as_strided_op(OpCall& call) {
  const Tensor& x = call.tensor("input");
  const Shape shape = call.ints("size"), strides = call.ints("stride");
  const std::int64_t offset = call.optional_integer("storage_offset").value_or(x.offset());
  if (shape.size() != strides.size())
    refuse("as_strided.sizes", Code::Value, "RuntimeError", "mismatch in length of strides and shape");
  std::int64_t last = offset;
  bool is_inside = offset >= 0, is_empty = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::int64_t reach = 0;
    is_empty = is_empty || shape[d] == 0;
    is_inside = is_inside && shape[d] >= 0 && strides[d] >= 0 &&
                !__builtin_mul_overflow(std::max<std::int64_t>(shape[d] - 1, 0), strides[d], &reach) &&
                !__builtin_add_overflow(last, reach, &last);
  }
  const std::int64_t held = x.storage().buffer->bytes() / size_of(wide_of(x.dtype())), size = size_of(x.dtype());
  const std::int64_t needed = last < INT64_MAX / 16 ? (last + 1) * size : INT64_MAX;
  if (!is_inside || (!is_empty && last >= held))
    refuse(
        "as_strided.bounds", Code::Value, "RuntimeError",
        fmt::format("setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} requiring a storage size of "
                    "{} are out of bounds for storage of size {}",
                    shape_text(shape), shape_text(strides), offset, size, needed, held * size));
  const bool wants_grad = call.handle("input").requires_grad && call.interpreter().grad_enabled();
  if (wants_grad && !(x.is_contiguous() && x.offset() == 0)) throw unsupported(call.span(), "unsupported.as_strided");
  return make_tensor(x.as_strided(shape, strides, offset));
}

Axes unfold_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  axes.resize(static_cast<std::size_t>(output.dim()));
  std::int64_t dim = call.integer("dimension");
  if (dim < 0) dim += output.dim() - 1;
  if (const auto place = static_cast<std::size_t>(dim); place < axes.size()) axes[place] = Axis();
  return axes;
}

// ---- padding ----

// What an axis of `size` shows at a place beyond its edges.
std::int64_t shown_place(const std::string& mode, std::int64_t place, std::int64_t size) {
  if (mode == "replicate") return std::clamp<std::int64_t>(place, 0, size - 1);
  if (mode == "circular") return (place + size) % size;
  return place < 0 ? -place : place >= size ? 2 * (size - 1) - place : place;
}

// How much each axis is widened, before and behind, the last axis first; PyTorch has these modes for 1 to 3 axes, with
// one or two axes more in front of them.
void check_pad(const OpCall& call, const std::string& mode, const Shape& pad) {
  const Tensor& x = call.tensor("input");
  const std::int64_t axes = std::ssize(pad) / 2;
  if (pad.size() % 2 != 0) refuse("pad.length", Code::Value, "RuntimeError", "Padding length must be divisible by 2");
  if (call.has("value") && !call.value("value").is_none() && to_double(call.number("value")) != 0)
    refuse("pad.value", Code::Value, "RuntimeError",
           fmt::format("Padding mode \"{}\" doesn't take in value argument", mode));
  if (axes < 1 || axes > 3 || x.dim() < axes + 1 || x.dim() > axes + 2)
    refuse("pad.dims", Code::Value, "NotImplementedError",
           "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now");
  if (mode == "circular" && x.dim() != axes + 2)
    refuse("pad.circular", Code::Value, "RuntimeError",
           fmt::format("Invalid padding size, expected {} but got {}", 2 * (x.dim() - 2), pad.size()));
  const Shape shape = x.shape();
  const auto each = shape.begin() + (x.dim() == axes + 2 ? 1 : 0);  // there may be no items in a batch
  if (mode == "replicate" && std::find(each, shape.end(), 0) != shape.end())
    refuse(
        "pad.empty", Code::Value, "RuntimeError",
        fmt::format("Expected {}D or {}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions "
                    "for input, but got: {}",
                    axes + 1, axes + 2, shape_text(shape)));
  if (mode != "circular" && !is_floating(x.dtype()))
    throw_not_implemented(fmt::format("{}{}d{}", mode == "reflect" ? "reflection_pad" : "replication_pad", axes,
                                      mode == "reflect" ? "" : "_cpu"),
                          x.dtype());
  for (std::int64_t i = 0; i < axes; ++i) {
    const std::int64_t size = x.size(x.dim() - 1 - i), before = pad[static_cast<std::size_t>(2 * i)],
                       behind = pad[static_cast<std::size_t>(2 * i + 1)];
    if (mode == "circular" && (before > size || behind > size))
      refuse("pad.wrap", Code::Value, "RuntimeError", "Padding value causes wrapping around more than once.");
    if (mode == "reflect" && (before >= size || behind >= size))
      refuse("pad.reflect", Code::Value, "RuntimeError",
             fmt::format("Argument #{}: Padding size should be less than the corresponding input dimension, but got: "
                         "padding ({}, {}) at dimension {} of input {}",
                         4 + 2 * i, before, behind, x.dim() - 1 - i,
                         axes == 1 ? shape_text(x.shape()) : std::to_string(x.dim())));
  }
}

Value pad_by_mode(OpCall& call, const std::string& mode) {
  const Shape pad = call.ints("pad");
  check_pad(call, mode, pad);
  Tensor out = call.tensor("input");
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    const std::int64_t axis = out.dim() - 1 - static_cast<std::int64_t>(i), size = out.size(axis);
    std::vector<std::int64_t> places;
    for (std::int64_t place = -pad[2 * i]; place < size + pad[2 * i + 1]; ++place) {
      look();
      places.push_back(shown_place(mode, place, size));
    }
    out = index_select(out, axis, Tensor::from(places, {std::ssize(places)}));
  }
  call.set_grad_fn(mode == "circular" ? "CopySlices"
                                      : fmt::format("{}Pad{}DBackward0",
                                                    mode == "reflect" ? "Reflection" : "Replication", pad.size() / 2));
  return make_tensor(out);
}

Value pad_op(OpCall& call) {
  const std::string& mode = call.value("mode").as<Str>()->text;
  const Tensor& x = call.tensor("input");
  if (mode == "reflect" || mode == "replicate" || mode == "circular") return pad_by_mode(call, mode);
  if (mode != "constant") refuse("pad.mode", Code::Value, "NotImplementedError", "Unrecognised padding mode " + mode);
  const Scalar value = call.has("value") ? call.number("value") : Scalar(std::int64_t{0});
  return make_tensor(pad_constant(x, call.ints("pad"), value));
}

Axes pad_axes(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  const Shape& shape = call.tensor("input").shape();
  for (std::size_t i = 0; i < axes.size() && i < output.shape().size(); ++i)
    if (shape[i] != output.shape()[i]) axes[i] = without_words(axes[i]);
  return fitted(std::move(axes), output);
}

// roll and flip move the words of an axis away from their places.
Axes without_all_words(const OpCall& call, const Tensor& output, std::size_t) {
  Axes axes = call.handle("input").axes;
  for (Axis& axis : axes) axis.words = nullptr;
  return fitted(std::move(axes), output);
}

Axes repeated_axes(const OpCall& call, const Tensor& output, std::size_t) {
  const bool has_input = call.takes("input");
  if (!has_input || !call.has("dim")) return Axes(static_cast<std::size_t>(output.dim()));
  Axes axes = call.handle("input").axes;
  std::int64_t dim = call.integer("dim");
  if (dim < 0) dim += output.dim();
  if (const auto place = static_cast<std::size_t>(dim); place < axes.size()) axes[place] = Axis();
  return fitted(std::move(axes), output);
}

#define ATTN_REPEATED                                                                  \
  "(input: Tensor, repeats: Tensor, dim: int? = None, *, output_size: int? = None) | " \
  "(input: Tensor, repeats: int, dim: int? = None, *, output_size: int? = None)"
constexpr const char* kRepeated = "Each place of an axis several times in a row: 1, 1, 2, 2.";
constexpr const char* kMoved = "(input: Tensor, source: ints, destination: ints)";

const OpInfo kArrangeOps[] = {
    OpInfo("torch.roll Tensor.roll", "(input: Tensor, shifts: ints, dims: ints? = None)",
           "An axis shifted by some places: what leaves at the end comes back at the front.",
           "torch.roll(torch.arange(4), 1)", roll_op,
           {.axes = without_all_words, .element = kIndexMap, .grad_fn = "RollBackward0", .narrow = kMoves}),
    OpInfo("torch.flip Tensor.flip", "(input: Tensor, *dims: ints)", "Axes in reverse order.",
           "torch.flip(torch.arange(4), dims=[0])", flip_op,
           {.axes = without_all_words, .element = kIndexMap, .grad_fn = "FlipBackward0", .narrow = kMoves}),
    OpInfo("torch.fliplr Tensor.fliplr", kOne, "The second axis in reverse order.",
           "torch.fliplr(torch.arange(4).view(2, 2))", flip_axis_op<1>,
           {.axes = without_all_words, .element = kIndexMap, .grad_fn = "FlipBackward0", .narrow = kMoves}),
    OpInfo("torch.flipud Tensor.flipud", kOne, "The first axis in reverse order.",
           "torch.flipud(torch.arange(4).view(2, 2))", flip_axis_op<0>,
           {.axes = without_all_words, .element = kIndexMap, .grad_fn = "FlipBackward0", .narrow = kMoves}),
    OpInfo("torch.repeat_interleave", ATTN_REPEATED " | (repeats: Tensor, *, output_size: int? = None)", kRepeated,
           "torch.repeat_interleave(torch.tensor([1, 2]), 2)", repeat_interleave_op,
           {.axes = repeated_axes, .element = kIndexMap, .grad_fn = "IndexSelectBackward0", .narrow = kMoves}),
    OpInfo("Tensor.repeat_interleave", ATTN_REPEATED, kRepeated, "torch.tensor([1, 2]).repeat_interleave(2)",
           repeat_interleave_op,
           {.axes = repeated_axes, .element = kIndexMap, .grad_fn = "IndexSelectBackward0", .narrow = kMoves}),
    OpInfo("torch.tile Tensor.tile", "(input: Tensor, *dims: ints)",
           "Copies laid side by side, so many along each of the last axes.", "torch.tile(torch.tensor([1, 2]), (2,))",
           tile_op, {.axes = axis_rule::none, .element = kIndexMap, .grad_fn = "RepeatBackward0", .narrow = kMoves}),
    OpInfo("torch.broadcast_to Tensor.broadcast_to", "(input: Tensor, *size: ints)",
           "expand: axes of size 1 repeated without a copy.", "torch.broadcast_to(torch.arange(3), (2, 3))",
           broadcast_to_op,
           {.axes = axis_rule::expand,
            .element = kIndexMap,
            .grad_fn = "ExpandBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.broadcast_tensors", "(*tensors: any)", "Tensors broadcast to one shape.",
           "torch.broadcast_tensors(torch.arange(3), torch.zeros(2, 1))", broadcast_tensors_op,
           {.axes = axis_rule::none,
            .element = kIndexMap,
            .grad_fn = "ExpandBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("torch.movedim torch.moveaxis Tensor.movedim Tensor.moveaxis", kMoved,
           "Axes moved to other places; the others keep their order.", "torch.zeros(2, 3, 4).movedim(0, -1).shape",
           movedim_op,
           {.axes = movedim_axes,
            .element = kIndexMap,
            .grad_fn = "PermuteBackward0",
            .flags = kView | kOneOrSeveral,
            .narrow = kMoves}),
    OpInfo(
        "torch.unflatten Tensor.unflatten", "(input: Tensor, dim: int, sizes: ints)",
        "One axis divided into several; one size may be -1.", "torch.zeros(2, 6).unflatten(1, (2, 3)).shape",
        unflatten_op,
        {.axes = unflatten_axes, .element = kIndexMap, .grad_fn = "ViewBackward0", .flags = kView, .narrow = kMoves}),
    OpInfo("torch.ravel Tensor.ravel", kOne, "All elements as one row.", "torch.ravel(torch.zeros(2, 3)).shape",
           ravel_op,
           {.axes = axis_rule::flatten,
            .element = kIndexMap,
            .grad_fn = "ViewBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo("Tensor.unfold", "(input: Tensor, dimension: int, size: int, step: int)",
           "Windows along an axis, as a new last axis.", "torch.arange(5).unfold(0, 3, 1)", unfold_op,
           {.axes = unfold_axes, .element = kIndexMap, .grad_fn = "UnfoldBackward0", .flags = kView}),
    OpInfo("torch.as_strided Tensor.as_strided",
           "(input: Tensor, size: shape, stride: shape, storage_offset: int? = None)",
           "A view with sizes and strides of your own.", "torch.arange(6.).as_strided((2, 3), (1, 2))", as_strided_op,
           {.axes = axis_rule::none,
            .element = kIndexMap,
            .grad_fn = "AsStridedBackward0",
            .flags = kView,
            .narrow = kMoves}),
    OpInfo(
        "torch.nn.functional.pad", "(input: Tensor, pad: shape, mode: str = 'constant', value: Number? = None)",
        "Axes widened by a value: (before, after) of the last axis, then of the one before it; negative amounts cut.",
        "F.pad(torch.ones(2, 2), (1, 0))", pad_op,
        {.axes = pad_axes, .element = kIndexMap, .grad_fn = "ConstantPadNdBackward0", .flags = kNative}),
};

#undef ATTN_REPEATED

}  // namespace

std::span<const OpInfo> arrange_ops() { return kArrangeOps; }

}  // namespace attn
