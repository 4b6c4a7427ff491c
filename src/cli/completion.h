#pragma once
// Completions for shells, made from the description of the command line. A shell is one function here and one row in
// completion.cpp.
#include <string>
#include <string_view>
#include <vector>

#include "cli/description.h"

namespace attn {

/// What may stand for a value ("FORMAT") or an argument ("LESSON").
struct Candidates {
  std::vector<std::string> words;
  bool files = false;
  bool folders = false;
  bool none() const { return words.empty() && !files && !folders; }
};

/// By the name that stands for it in --help; none for names that only the user can fill, such as N.
Candidates candidates_for(std::string_view name);

/// Every name that something is known for.
std::vector<std::string> completed_names();

std::vector<std::string> shell_names();

/// 'a word' for any of the shells: nothing in it is special.
std::string shell_quoted(std::string_view text);

std::string bash_completion(const ProgramDescription& program);
std::string zsh_completion(const ProgramDescription& program);
std::string fish_completion(const ProgramDescription& program);

}  // namespace attn
