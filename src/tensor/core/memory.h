#pragma once
// Memory for the elements of tensors. A fresh page costs the system as much time as the numbers in it cost the program,
// so large blocks that are given back are kept for the next tensor of about that size, and stand on huge pages where
// the system has them.
#include <cstddef>
#include <cstdint>

namespace attn {

/// A block aligned to 64 bytes, uninitialized; null when the system has none left.
std::byte* take_block(std::int64_t bytes);

/// `bytes` is what it was taken with.
void give_block(std::byte* block, std::int64_t bytes) noexcept;

/// Bytes of blocks that nobody uses and that are kept.
std::int64_t kept_memory();

/// Has malloc keep what it gets back too: for programs, at their start, before there are threads.
void keep_freed_memory();

}  // namespace attn
