#include "python/object.h"

#include <forward_list>
#include <limits>
#include <utility>

#include "base/limits.h"

namespace attn {
namespace {

thread_local Heap* current_heap = nullptr;

// Objects whose last reference is gone, linked by next_: letting go must work without memory. Deleting one may add
// others; the first release in a row empties the list.
thread_local Object* dying = nullptr;
thread_local bool is_emptying = false;
// What is let go after an interrupt: freeing millions of objects would take longer than its answer may. Not of the
// thread, whose end it outlives: a program that was interrupted ends without freeing it.
Object* waiting = nullptr;

bool is_left_to_the_system() { return interrupt_requested() && ends_with_the_run; }

}  // namespace

Object::Object(const Type& type) : type_(&type) {
  if (!current_heap) return;
  next_ = current_heap->first_;
  if (next_) next_->link_ = &next_;
  link_ = &current_heap->first_;
  *link_ = this;
}

Object::~Object() { leave_heap(); }

void Object::leave_heap() {
  if (!link_) return;
  *link_ = next_;
  if (next_) next_->link_ = link_;
  next_ = nullptr;
  link_ = nullptr;
}

void Object::let_go() {
  if (link_ && is_left_to_the_system()) return;  // its heap still knows it
  leave_heap();
  const bool waits = interrupt_requested();
  next_ = std::exchange(waits ? waiting : dying, this);
  if (!waits && !is_emptying) empty(std::numeric_limits<std::int64_t>::max());
}

void Object::empty(std::int64_t most) {
  is_emptying = true;
  for (; dying && most > 0 && !interrupt_requested(); --most) {
    Object* const object = dying;
    dying = std::exchange(object->next_, nullptr);
    delete object;
  }
  is_emptying = false;
  if (!waiting) std::swap(waiting, dying);
}

bool free_waiting(std::int64_t most) {
  if (is_emptying || !waiting) return false;
  if (!dying) std::swap(waiting, dying);
  Object::empty(most);
  return waiting != nullptr;
}

Heap::Heap() : outer_(current_heap) {
  current_heap = this;
  while (!interrupt_requested() && free_waiting(std::numeric_limits<std::int64_t>::max())) continue;
}

// What is left is held by cycles, or by someone who outlives the run: each object lets go of what it holds.
void Heap::clear() {
  while (first_ && !is_left_to_the_system()) {
    Object* const object = first_;
    object->retain();
    object->leave_heap();
    object->clear();
    object->release();
  }
  if (!first_) return;
  // Their list has to begin somewhere, and to outlive them.
  static auto& left = *new std::forward_list<Object*>;
  left.push_front(std::exchange(first_, nullptr));
  left.front()->link_ = &left.front();
}

Heap::~Heap() {
  clear();
  if (current_heap == this) current_heap = outer_;
}

void Heap::enter() { outer_ = std::exchange(current_heap, this); }

void Heap::leave() { current_heap = std::exchange(outer_, nullptr); }

OutsideHeap::OutsideHeap() : saved_(std::exchange(current_heap, nullptr)) {}

OutsideHeap::~OutsideHeap() { current_heap = saved_; }

}  // namespace attn
