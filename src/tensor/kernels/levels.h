#pragma once
// Levels of the processor: which sets of kernels this program holds, and which one it uses.
#include <span>
#include <string_view>

#include "tensor/kernels/kernels.h"

namespace attn {

struct Level {
  std::string_view name;   // as ATTN_TUTOR_CPU has it
  std::string_view needs;  // what a processor must have, in words
  bool (*is_supported)();  // by this processor and system
  const Kernels* kernels;
};

/// From the one that every processor has to the fastest.
std::span<const Level> levels();

/// The level of that name; null when there is none.
const Level* find_level(std::string_view name);

/// The level in use: the fastest that is supported, until use_level() says otherwise.
const Level& level();
const Kernels& kernels();

/// For tests and for ATTN_TUTOR_CPU; `level` is one of levels() and supported. Not while other threads compute.
void use_level(const Level& level);

/// Notes that a product of this run has bits that depend on the level. A Trace says so (Trace::level).
void note_level_used();
/// Whether it was noted since the last call, on any thread.
bool take_level_used();

}  // namespace attn
