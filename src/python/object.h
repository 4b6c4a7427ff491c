#pragma once
// Python objects: counted references, and a list of all of them so that cycles are freed at the end.
//
// The last release puts an object on a queue that is emptied in a loop, so a list nested a million deep is freed
// without recursion. A Heap lists the objects made while it is the current one of its thread.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace attn {

struct Type;
class Object;

/// All that may change in an object, as it was once. It holds the object and those that this one held.
class Kept {
 public:
  Kept() = default;
  virtual ~Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  virtual void put_back() const = 0;
  /// As often as it holds them.
  virtual void for_each_object(const std::function<void(Object&)>& visit) const = 0;
};

class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  const Type& type() const { return *type_; }
  bool is_printed() const { return is_printed_; }
  bool is_derived() const { return is_derived_; }
  /// How many references there are, but for those of what is kept. Somebody who holds the only one may let go unseen.
  std::uint32_t references() const { return references_ - kept_references_; }
  bool is_kept() const { return kept_references_ > 0; }
  void count_kept(int more) { kept_references_ += static_cast<std::uint32_t>(more); }

  /// Drops the references that the object holds. Called by the Heap when cycles are broken up.
  virtual void clear() {}
  /// Null where nothing changes; nothing where it cannot be kept (a loop that is under way).
  virtual std::optional<std::unique_ptr<Kept>> keep() { return nullptr; }

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
  friend class Value;
  template <class T>
  friend class Ref;
  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) let_go();
  }
  void let_go();
  void leave_heap();
  friend bool free_waiting(std::int64_t most);  // below
  static void empty(std::int64_t most);

  friend struct PrintingGuard;
  Object* next_ = nullptr;
  Object** link_ = nullptr;  // the pointer of the heap's list that points here; null once the heap is gone
  std::uint32_t references_ = 0;
  std::uint32_t kept_references_ = 0;  // of these
  bool is_printed_ = false;            // at this moment: one that holds itself is written as [...] inside
  bool is_derived_ = false;            // of a class of a cell that has a container for its base
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
    if (--references_ == 0) destroy();
  }
  std::uint32_t references() const { return references_; }

 private:
  [[gnu::noinline]] void destroy() const { delete static_cast<const Self*>(this); }
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

/// Visits the objects that a value, a container of values or what has an each_object() of its own refers to.
template <class T, class Visit>
void each_object(const T& held, const Visit& visit) {
  if constexpr (requires { held.each_object(visit); }) {
    held.each_object(visit);
  } else if constexpr (requires { held.object(); }) {
    if (Object* object = held.object()) visit(*object);
  } else if constexpr (requires { visit(*held.get()); }) {
    if (held) visit(*held.get());
  } else if constexpr (requires { held.first, held.second; }) {
    each_object(held.first, visit);
    each_object(held.second, visit);
  } else if constexpr (requires { held.begin(), held.end(); }) {
    if constexpr (std::is_class_v<std::decay_t<decltype(*held.begin())>>)
      for (const auto& item : held) each_object(item, visit);
  }
}

/// These members of an object.
template <class T, class... Members>
class KeptMembers : public Kept {
 public:
  explicit KeptMembers(T& object, Members T::*... members)
      : self_(&object), members_(members...), values_(object.*members...) {
    for_each_object([](Object& held) { held.count_kept(1); });
  }
  ~KeptMembers() override {
    for_each_object([](Object& held) { held.count_kept(-1); });
  }
  void put_back() const override {
    std::apply(
        [&](auto... members) {
          std::apply([&](const auto&... values) { ((*self_.*members = values), ...); }, values_);
        },
        members_);
  }
  void for_each_object(const std::function<void(Object&)>& visit) const final {
    visit(*self_);
    std::apply([&](const auto&... values) { (each_object(values, visit), ...); }, values_);
  }

 private:
  Ref<T> self_;
  std::tuple<Members T::*...> members_;
  std::tuple<Members...> values_;
};
template <class T, class... Members>
std::unique_ptr<Kept> kept_members(T& object, Members T::*... members) {
  return std::make_unique<KeptMembers<T, Members...>>(object, members...);
}

/// Owns the list of objects made on this thread while it is the current one, which it becomes when it is made; its end
/// clears them all. Heaps nest; one that is to wait while others work leaves its place, and enters again.
class Heap {
 public:
  Heap();
  ~Heap();
  /// Lets go of everything that is left, unless the program ends.
  void clear();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  void enter();
  void leave();
  /// Visits its objects, the newest first, until `visit` gives false.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Object* object = first_; object; object = object->next_)
      if (object->references_ > 0 && !visit(*object)) return;
  }

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
