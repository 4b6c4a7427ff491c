#include "python/types/changing.h"

#include "text/unsupported.h"

namespace attn {

void Lookup::refuse_if_under_way(const Object& table) {
  for (const Lookup* lookup = innermost; lookup; lookup = lookup->outer_)
    if (&lookup->table_ == &table) throw unsupported({}, "unsupported.lookup");
}

}  // namespace attn
