#pragma once
// Python objects: counted references, and a list of all of them so that cycles are freed at the end.
//
// The last release puts an object on a queue that is emptied in a loop, so a list nested a million deep is freed
// without recursion. A Heap lists the objects made while it is the current one of its thread.
#include <cstddef>
#include <cstdint>
#include <utility>

namespace attn {

struct Type;

class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  const Type& type() const { return *type_; }
  bool is_printed() const { return is_printed_; }
  bool is_derived() const { return is_derived_; }
  /// How many references there are. Somebody who holds the only one may let go unseen.
  std::uint32_t references() const { return references_; }

  /// Drops the references that the object holds. Called by the Heap when cycles are broken up.
  virtual void clear() {}

 protected:
  explicit Object(const Type& type);
  virtual ~Object();
  /// Of another kind from now on, whose `base` is the one that it was made as.
  void derive(const Type& kind) {
    type_ = &kind;
    is_derived_ = true;
  }

 private:
  friend class Heap;
  template <class T>
  friend class Ref;
  void retain() { ++references_; }
  void release();
  void leave_heap();
  friend bool free_waiting(std::int64_t most);  // below
  static void empty(std::int64_t most);

  friend struct PrintingGuard;
  Object* next_ = nullptr;
  Object** link_ = nullptr;  // the pointer of the heap's list that points here; null once the heap is gone
  std::uint32_t references_ = 0;
  bool is_printed_ = false;  // at this moment: one that holds itself is written as [...] inside
  bool is_derived_ = false;  // of a class of a cell that has a container for its base
  const Type* type_;
};

/// Objects that lose their last reference after an interrupt are not freed then, but by this: at most so many. False
/// when none is left.
bool free_waiting(std::int64_t most);

/// What is shared by counted references without being a Python object.
template <class Self>
class Counted {
 public:
  Counted() = default;
  Counted(const Counted&) {}
  Counted& operator=(const Counted&) { return *this; }
  void retain() const { ++references_; }
  void release() const {
    if (--references_ == 0) delete static_cast<const Self*>(this);
  }

 private:
  mutable std::uint32_t references_ = 0;
};

template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& other) : Ref(static_cast<T*>(other.get())) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Arguments>
Ref<T> make(Arguments&&... arguments) {
  return Ref<T>(new T(std::forward<Arguments>(arguments)...));
}

/// Owns the list of objects made on this thread while it is the current one, which it becomes when it is made; its end
/// clears them all. Heaps nest; one that is to wait while others work leaves its place, and enters again.
class Heap {
 public:
  Heap();
  ~Heap();
  /// Lets go of everything that is left.
  void clear();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  void enter();
  void leave();

 private:
  friend class Object;
  friend class OutsideHeap;
  Object* first_ = nullptr;
  Heap* outer_;
};

/// Objects made while it lives belong to no heap: for tables of values that outlive every run.
class OutsideHeap {
 public:
  OutsideHeap();
  ~OutsideHeap();
  OutsideHeap(const OutsideHeap&) = delete;
  OutsideHeap& operator=(const OutsideHeap&) = delete;

 private:
  Heap* saved_;
};

}  // namespace attn
