#pragma once
// --text, --data and --vocab: reading what they name.
#include <string>
#include <string_view>

#include "cli/request.h"

namespace attn {

/// Reads it into request.run.input. False after its errors were reported: nothing can be run then.
///   Errors: UserError, LimitReached.
bool read_own_input(Request& request);

/// What --text gives: "@FILE" is the text of a file without the end of its last line, "@@..." a text that begins with
/// @. Errors: FileError, LimitReached.
Source read_text(const std::string& typed);

/// A file of answers, or of a transcript in JSON where that may be larger.
///   Errors: FileError; UserError for a text that is not UTF-8 but UTF-16.
std::string read_answers(const std::string& path, std::int64_t most_of_json = 0);

bool begins_as_json(std::string_view text);

}  // namespace attn
