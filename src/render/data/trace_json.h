#pragma once
// A Trace as JSON and back: docs/trace.schema.json says what is in the file. All numbers come back as they were,
// and every view of the Trace that is read equals that of the one that was written.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "engine/trace.h"

namespace attn {

/// What is wrong with a text that should be a Trace, and where: "values[3].dtype: ...".
class TraceFormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kMaxTraceSize = std::size_t{256} << 20;  // bytes

/// The first schema that can still be read. 2 has `base64` beside `numbers` in buffers, and `session`.
inline constexpr int kOldestTraceSchema = 1;

/// Buffers of more numbers than this are written in base64.
inline constexpr std::int64_t kMostPlainNumbers = 1024;

/// One object; each step, op and value on a line of its own. Numbers of tensors are in `buffers`, once for all views
/// of one storage and for all storages that hold the same.
std::string write_trace_json(const Trace& trace);

/// The `session` of a Trace alone, on one line.
std::string session_json(const SessionRecord& session);

/// Takes nothing for granted: every index must point to something, every tensor must be within its buffer.
///   Errors: TraceFormatError (no JSON, larger than kMaxTraceSize, another schema, a member that is unknown, twice
///   there or of the wrong kind); LimitReached when the numbers do not fit in memory.
Trace read_trace_json(const std::string& text);

/// The JSON Schema of the file, from the table that writer and reader use.
std::string trace_schema();

}  // namespace attn
