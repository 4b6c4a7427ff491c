#pragma once
// What a session leaves in a transcript.
#include <string>
#include <utility>
#include <vector>

#include "engine/trace.h"
#include "stepper/batch.h"
#include "stepper/state.h"

namespace attn {

/// The parameters of the lesson with the values they have in the run, as one types them.
std::vector<std::pair<std::string, std::string>> parameter_values(const State& state);

/// What the learner did: the answers and the lines of this session, and of those that it goes on with.
SessionRecord session_record(const State& state);

/// The same of a lesson whose questions were answered all at once.
SessionRecord batch_record(const State& state, const std::vector<BatchAnswer>& answers);

/// What a line that was typed gave, as a record keeps it: a long result loses its end, and says so.
std::string kept_result(std::string result);

}  // namespace attn
