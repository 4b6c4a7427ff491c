#include "tensor/core/tensor.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "base/limits.h"
#include "base/number.h"
#include "tensor/core/error.h"
#include "tensor/core/memory.h"
#include "text/say.h"

namespace attn {
namespace {

std::int64_t next_storage_id() {
  static std::atomic<std::int64_t> last{0};
  return ++last;
}

/// Empty when the product does not fit. Every shape of a tensor passes here.
std::optional<std::int64_t> product_of(const Shape& shape) {
  // PyTorch has no limit. Every op on such a tensor walks over all of its axes, and so does each note of them.
  constexpr std::size_t kMostAxes = 1000;
  if (shape.size() > kMostAxes)
    throw LimitReached(LimitReached::Kind::Depth, say("limit.axes", {{"most", std::to_string(kMostAxes)}}));
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::optional<std::int64_t> product = 1;
  for (const std::int64_t size : shape)
    if (product) product = checked_mul(*product, size);
  return product;
}

std::int64_t storage_bytes(const Shape& shape, DType dtype) {
  for (const std::int64_t size : shape)
    if (size < 0)
      throw TensorError(
          "create.negative", Code::Shape, "RuntimeError",
          "Trying to create tensor with negative dimension " + std::to_string(size) + ": " + shape_text(shape),
          {{"size", size}});
  const std::optional<std::int64_t> count = product_of(shape);
  const std::optional<std::int64_t> bytes = count ? checked_mul(*count, size_of(wide_of(dtype))) : std::nullopt;
  if (!bytes)
    throw TensorError("create.overflow", Code::Shape, "RuntimeError",
                      "Storage size calculation overflowed with sizes=" + shape_text(shape));
  return *bytes;
}

}  // namespace

std::int64_t numel_of(const Shape& shape) {
  const std::optional<std::int64_t> product = product_of(shape);
  if (!product) throw TensorError("numel", Code::Shape, "RuntimeError", "numel: integer multiplication overflow");
  return *product;
}

Shape contiguous_strides(const Shape& shape) {
  Shape strides(shape.size());
  std::uint64_t step = 1;  // unsigned: beside a size of 0 the others may be anything
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = static_cast<std::int64_t>(step);
    step *= static_cast<std::uint64_t>(std::max<std::int64_t>(shape[d], 1));
  }
  return strides;
}

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

Buffer::Buffer(std::int64_t bytes) : bytes_(bytes) { data_ = take(); }

Buffer::~Buffer() {
  if (is_read()) give(data_);
}

// What the alignment of a small block costs is as large as the block.
std::int64_t Buffer::room() const { return bytes_ < 4096 ? (bytes_ + 8 + 63) / 64 * 64 : bytes_; }

std::byte* Buffer::take() const {
  take_memory(room());
  if (is_mapped()) return const_cast<std::byte*>(mapped_.get());
  if (std::byte* const data = take_block(bytes_)) return data;
  give_memory(room());
  throw LimitReached(LimitReached::Kind::Memory, say("limit.system", {{"bytes", std::to_string(bytes_)}}));
}

void Buffer::give(std::byte* data) const noexcept {
  if (!is_mapped()) give_block(data, bytes_);
  give_memory(room());
}

std::byte* Buffer::read_now() {
  static std::mutex one_reads;
  const std::lock_guard lock(one_reads);
  if (is_read()) return data_;
  std::byte* const data = take();
  try {
    if (read_) read_(data);
  } catch (...) {
    give(data);
    throw;
  }
  read_ = nullptr;
  data_.store(data, std::memory_order_release);
  return data;
}

Tensor Tensor::over(Shape shape, DType dtype, const std::function<std::shared_ptr<Buffer>(std::int64_t)>& make_buffer) {
  const std::int64_t bytes = storage_bytes(shape, dtype);
  Tensor result;
  result.storage_ = std::make_shared<Storage>(Storage{make_buffer(bytes), next_storage_id(), 0});
  result.numel_ = bytes / size_of(wide_of(dtype));
  result.strides_ = contiguous_strides(shape);
  result.shape_ = std::move(shape);
  result.dtype_ = dtype;
  return result;
}

Tensor Tensor::empty(Shape shape, DType dtype) {
  return over(std::move(shape), dtype, [](std::int64_t bytes) { return std::make_shared<Buffer>(bytes); });
}

Tensor Tensor::unread(Shape shape, DType dtype, Buffer::Read read) {
  return over(std::move(shape), dtype,
              [&](std::int64_t bytes) { return std::make_shared<Buffer>(bytes, std::move(read)); });
}

Tensor Tensor::mapped(Shape shape, DType dtype, std::shared_ptr<const std::byte> elements) {
  return over(std::move(shape), dtype,
              [&](std::int64_t bytes) { return std::make_shared<Buffer>(bytes, std::move(elements)); });
}

bool Tensor::is_contiguous() const {
  if (numel_ == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t d = shape_.size(); d-- > 0;) {
    if (shape_[d] == 1) continue;
    if (strides_[d] != expected) return false;
    expected *= shape_[d];
  }
  return true;
}

Tensor Tensor::as_strided(Shape shape, Shape strides, std::int64_t offset) const {
  Tensor result;
  result.numel_ = numel_of(shape);
  result.storage_ = storage_;
  result.shape_ = std::move(shape);
  result.strides_ = std::move(strides);
  result.offset_ = offset;
  result.dtype_ = dtype_;
  result.is_unseen_ = is_unseen_;
  return result;
}

Tensor Tensor::snapshot() const {
  Tensor result = *this;
  if (storage_) result.storage_ = std::make_shared<Storage>(*storage_);
  return result;
}

void Tensor::prepare_write() {
  if (storage_->buffer.use_count() > 1 || storage_->buffer->is_mapped()) {
    const Buffer& shared = *storage_->buffer;
    auto own = std::make_shared<Buffer>(shared.bytes());
    std::memcpy(own->data(), shared.data(), static_cast<std::size_t>(shared.bytes()));
    storage_->buffer = std::move(own);
  }
  count_write();
}

bool Tensor::fills_its_buffer() const {
  return offset_ == 0 && is_contiguous() && storage_->buffer->bytes() == numel_ * size_of(wide_of(dtype_));
}

bool Tensor::take_elements(const Tensor& other) {
  const bool is_alike = dtype_ == other.dtype_ && shape_ == other.shape_;
  const bool is_unread = other.storage_->buffer->is_of_file();  // what is wrong with it is told when it is copied
  if (!is_alike || is_unread || !fills_its_buffer() || !other.fills_its_buffer()) return false;
  storage_->buffer = other.storage_->buffer;
  count_write();
  return true;
}

std::int64_t wrap_dim(std::int64_t dim, std::int64_t dims) {
  const std::int64_t count = std::max<std::int64_t>(dims, 1);
  if (dim < -count || dim >= count)
    throw TensorError(dims ? "dim.range" : "dim.none", Code::Index, "IndexError",
                      "Dimension out of range (expected to be in range of [" + std::to_string(-count) + ", " +
                          std::to_string(count - 1) + "], but got " + std::to_string(dim) + ")",
                      {{"dim", dim}, {"dims", dims}});
  return dim < 0 ? dim + count : dim;
}

std::int64_t axis_of(std::int64_t dim, std::int64_t dims) {
  if (dims == 0)
    throw TensorError("dim.none", Code::Index, "IndexError",
                      "Dimension specified as " + std::to_string(dim) + " but tensor has no dimensions",
                      {{"dim", dim}, {"dims", dims}});
  return wrap_dim(dim, dims);
}

}  // namespace attn
