#include "lang/object.h"

#include <vector>

namespace attn {
namespace {

thread_local Heap* current_heap = nullptr;

// Objects whose last reference is gone. Deleting one may append others; the first release in a row empties the queue.
thread_local std::vector<Object*> dying;
thread_local bool is_emptying = false;

}  // namespace

Object::Object(Kind kind) : kind_(kind) {
  if (!current_heap) return;
  next_ = current_heap->first_;
  if (next_) next_->link_ = &next_;
  link_ = &current_heap->first_;
  *link_ = this;
}

Object::~Object() {
  if (link_) *link_ = next_;
  if (next_) next_->link_ = link_;
}

void Object::release() {
  if (--references_ > 0) return;
  dying.push_back(this);
  if (is_emptying) return;
  is_emptying = true;
  while (!dying.empty()) {
    Object* object = dying.back();
    dying.pop_back();
    delete object;
  }
  is_emptying = false;
}

Heap::Heap() : outer_(current_heap) { current_heap = this; }

Heap::~Heap() {
  // What is left is held by cycles (or by someone who outlives the run): empty each object, then let go of it.
  std::vector<Ref<Object>> left;
  for (Object* object = first_; object; object = object->next_) left.emplace_back(object);
  for (const Ref<Object>& object : left) object->clear();
  left.clear();
  while (first_) {
    Object* survivor = first_;
    first_ = survivor->next_;
    survivor->next_ = nullptr;
    survivor->link_ = nullptr;
  }
  if (current_heap == this) current_heap = outer_;
}

void Heap::enter() { outer_ = std::exchange(current_heap, this); }

void Heap::leave() { current_heap = std::exchange(outer_, nullptr); }

OutsideHeap::OutsideHeap() : saved_(std::exchange(current_heap, nullptr)) {
  dying.reserve(
      16);  // makes the queue before the table, so that at the thread's end it is there for what the table held
}

OutsideHeap::~OutsideHeap() { current_heap = saved_; }

}  // namespace attn
