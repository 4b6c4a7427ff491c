#pragma once
// A Trace as JSON and back: docs/trace.schema.json says what stands in the file. All numbers come back as they were,
// and every view of the Trace that is read equals that of the one that was written.
#include <cstddef>
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

/// One object; each step, op and value on a line of its own. Numbers of tensors stand in `buffers`, once for all views
/// of one storage.
std::string write_trace_json(const Trace& trace);

/// Takes nothing for granted: every index points to what is there, every tensor lies within its buffer.
///   Errors: TraceFormatError (no JSON, larger than kMaxTraceSize, another schema, a member that is unknown, twice
///   there or of the wrong kind); LimitReached when the numbers do not fit in memory.
Trace read_trace_json(const std::string& text);

/// The JSON Schema of the file, from the table that writer and reader use.
std::string trace_schema();

}  // namespace attn
