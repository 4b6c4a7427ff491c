#pragma once
// A tensor: sizes, strides and offset over a storage that views share.
//
// A Storage has an identity and a version; its bytes live in a Buffer. Whoever wants to keep what a storage holds now
// takes a snapshot(), which shares the Buffer. A write through mutable_data() first gives the storage a Buffer of its
// own when a snapshot shares it, and raises the version: so views see every write, and snapshots see none.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "tensor/core/dtype.h"

namespace attn {

/// Sizes, strides (in elements) and lists of dimensions.
using Shape = std::vector<std::int64_t>;

inline constexpr std::size_t kMostAxes = 64;  // as in PyTorch

std::int64_t numel_of(const Shape& shape);     // product; 1 for no dimensions. TensorError when it overflows
Shape contiguous_strides(const Shape& shape);  // row-major, a size of 0 counts as 1
std::string shape_text(const Shape& shape);    // "[3, 2, 5, 6]"

/// Bytes, counted against the memory limit. Those of a file are read when they are first looked at, by several threads
/// perhaps, or are where the file is mapped, and then aligned to one element only; others are aligned to 64.
class Buffer {
 public:
  explicit Buffer(std::int64_t bytes);  // LimitReached beyond the limit; not initialized
  /// `read` fills them at the first data(), which throws what it throws; the next data() tries again.
  using Read = std::function<void(std::byte*)>;
  Buffer(std::int64_t bytes, Read read) : bytes_(bytes), is_of_file_(true), read_(std::move(read)) {}
  /// Bytes that nobody may write to.
  Buffer(std::int64_t bytes, std::shared_ptr<const std::byte> mapped)
      : bytes_(bytes), is_of_file_(true), mapped_(std::move(mapped)) {}
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() {
    std::byte* const data = data_.load(std::memory_order_acquire);
    return data ? data : read_now();
  }
  const std::byte* data() const { return const_cast<Buffer*>(this)->data(); }
  std::int64_t bytes() const { return bytes_; }
  /// Its bytes are those of a file.
  bool is_of_file() const { return is_of_file_; }
  bool is_mapped() const { return mapped_ != nullptr; }
  bool is_read() const { return data_.load(std::memory_order_acquire) != nullptr; }

 private:
  std::int64_t room() const;
  std::byte* take() const;
  void give(std::byte* data) const noexcept;
  std::byte* read_now();

  std::atomic<std::byte*> data_ = nullptr;
  std::int64_t bytes_;
  bool is_of_file_ = false;
  Read read_;
  std::shared_ptr<const std::byte> mapped_;
};

struct Storage {
  std::shared_ptr<Buffer> buffer;
  std::int64_t id = 0;            // unique in the process, from 1
  std::int64_t version = 0;       // number of writes since creation
  std::int64_t unseen = 0;        // of these, by way of Tensor.data
  std::uint64_t graph_write = 0;  // the last of them that gradients go through: its number there (torch/gradient.h)
};

class Tensor {
 public:
  Tensor() = default;  // no storage; defined() is false

  /// A new contiguous tensor; `empty` leaves the elements unset.
  static Tensor empty(Shape shape, DType dtype);
  /// The same, of elements that are read when one of them is first looked at.
  static Tensor unread(Shape shape, DType dtype, Buffer::Read read);
  /// The same, of elements that lie in memory as tensors hold them.
  static Tensor mapped(Shape shape, DType dtype, std::shared_ptr<const std::byte> elements);
  template <class T>
  static Tensor from(const std::vector<T>& values, const Shape& shape);
  template <class T>
  static Tensor scalar(T value);

  bool defined() const { return storage_ != nullptr; }
  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  const Shape& strides() const { return strides_; }
  std::int64_t offset() const { return offset_; }
  std::int64_t dim() const { return static_cast<std::int64_t>(shape_.size()); }
  std::int64_t size(std::int64_t dim) const { return shape_[static_cast<std::size_t>(dim)]; }  // 0 <= dim < dim()
  std::int64_t numel() const { return numel_; }
  bool is_contiguous() const;

  const Storage& storage() const { return *storage_; }
  /// What storage() held once is in it again, for all its views.
  void put_back(const Storage& held) { *storage_ = held; }
  void note_graph_write(std::uint64_t number) { storage_->graph_write = number; }
  /// Counts a write that changed no element: an op in place gave it other axes.
  void note_write() { count_write(); }
  /// The same elements; what is written by way of it does not count for histories: Tensor.data.
  Tensor unseen() const {
    Tensor result = *this;
    result.is_unseen_ = true;
    return result;
  }
  /// The writes that count for a history.
  std::int64_t seen_writes() const { return storage_->version - (is_unseen_ ? 0 : storage_->unseen); }
  bool shares_storage(const Tensor& other) const { return storage_ == other.storage_; }

  /// Pointer to the element at index 0...0. T must be the dtype's C++ type.
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(storage_->buffer->data()) + offset_;
  }
  /// The same for writing: parts from snapshots, raises the storage's version.
  template <class T>
  T* mutable_data() {
    prepare_write();
    return reinterpret_cast<T*>(storage_->buffer->data()) + offset_;
  }

  /// Makes the elements of `other` its own without copying them, for all views of its storage: true where both fill
  /// their buffers in the same order. A later write to either parts them.
  bool take_elements(const Tensor& other);

  /// Another view of the same storage. The caller has checked that it stays inside.
  Tensor as_strided(Shape shape, Shape strides, std::int64_t offset) const;

  /// What the tensor holds now, for keeping: same sizes, strides, storage id and version; later writes do not reach it.
  Tensor snapshot() const;

 private:
  /// Over bytes that `make_buffer` gives, when it is told how many.
  static Tensor over(Shape shape, DType dtype, const std::function<std::shared_ptr<Buffer>(std::int64_t)>& make_buffer);
  void prepare_write();
  void count_write() {
    ++storage_->version;
    storage_->unseen += is_unseen_;
  }
  bool fills_its_buffer() const;

  std::shared_ptr<Storage> storage_;
  Shape shape_;
  Shape strides_;
  std::int64_t offset_ = 0;
  std::int64_t numel_ = 0;
  DType dtype_ = DType::Float32;
  bool is_unseen_ = false;
};

template <class T>
Tensor Tensor::from(const std::vector<T>& values, const Shape& shape) {
  Tensor result = empty(shape, dtype_of<T>);
  T* out = result.mutable_data<T>();
  for (const T value : values) *out++ = value;
  return result;
}

template <class T>
Tensor Tensor::scalar(T value) {
  return from(std::vector<T>{value}, {});
}

/// `dim` counted from the front, for dim in [-dims, dims) (a tensor without dimensions counts as one).
///   Errors: IndexError "Dimension out of range (expected to be in range of [-2, 1], but got 5)".
std::int64_t wrap_dim(std::int64_t dim, std::int64_t dims);

/// The same where a tensor without dimensions has no axis to speak of.
///   Errors: also IndexError "Dimension specified as 0 but tensor has no dimensions".
std::int64_t axis_of(std::int64_t dim, std::int64_t dims);

/// Walks the elements of a strided tensor in row-major order; `f(offset)` gets the element's offset from data().
template <class F>
void for_each_offset(const Shape& shape, const Shape& strides, F&& f) {
  const std::size_t dims = shape.size();
  for (const std::int64_t size : shape)
    if (size == 0) return;
  if (dims == 0) {
    f(std::int64_t{0});
    return;
  }
  Shape index(dims, 0);
  std::int64_t base = 0;
  constexpr std::int64_t kPiece = 1 << 16;  // between two looks at an interrupt
  const std::int64_t inner = shape[dims - 1];
  const std::int64_t step = strides[dims - 1];
  std::int64_t since = 0;
  for (;;) {
    for (std::int64_t i = 0; i < inner;) {
      const std::int64_t end = std::min(inner, i + kPiece - since);
      since += end - i;
      for (; i < end; ++i) f(base + i * step);
      if (since < kPiece) continue;
      look();
      since = 0;
    }
    std::size_t d = dims - 1;
    while (d-- > 0) {
      base += strides[d];
      if (++index[d] < shape[d]) break;
      base -= strides[d] * shape[d];
      index[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace attn
