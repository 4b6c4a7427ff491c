#pragma once
// JSON of others: \ud83d alone is half of a character. Python's reader takes it, strict ones do not.
#include <string>

namespace attn {

/// JSON in which each escape of half a surrogate pair became \ufffd, as long as the one it replaces: places of errors
/// stay where they were.
std::string without_lone_surrogates(std::string text);

}  // namespace attn
