#pragma once
// What the fuzz targets share. Each tests/fuzz/NAME.cpp defines one function fuzz_NAME(), which does with an input what
// the program does with such a file. An input may be refused, by the errors that a target names; a crash, another
// exception, a text that steers a terminal, or more than a second of the processor's time is a finding.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/limits.h"
#include "engine/trace.h"
#include "explain/messages.h"
#include "render/formats.h"
#include "tests/cli/steering.h"

namespace attn {

/// Such that the worst input ends well within a second, also under sanitizers.
inline constexpr Limits kFuzzLimits = {.max_memory = std::int64_t{8} << 20, .max_work = 100'000};

/// Runs a job, of which only these errors may come.
template <class Error, class... Errors, class Job>
void allowing(const Job& job) {
  try {
    if constexpr (sizeof...(Errors) > 0) {
      allowing<Errors...>(job);
    } else {
      job();
    }
  } catch (const Error&) {
  }
}

/// For what a reader sees: nothing of it may be obeyed by a terminal.
///   Errors: std::logic_error, which is a finding.
inline void look_at(std::string_view shown) {
  if (const std::string found = steering_in(shown); !found.empty()) throw std::logic_error("shown: " + found);
}

inline void look_at(const Diagnostic& diagnostic, const Source& source) {
  look_at(draw(explained(diagnostic), source));
}

/// A Trace in one of the formats of transcripts, at some width, both told by `choice`.
inline void look_at(const Trace& trace, std::size_t choice) {
  const auto formats = all_formats();
  RenderOptions options;
  options.width = static_cast<int>(20 + choice % 101);
  options.ascii = choice % 2 == 1;
  const Format& format = formats[choice % formats.size()];
  const std::string text = format.render(trace, options);
  if (format.name != "safetensors") look_at(text);
}

}  // namespace attn
