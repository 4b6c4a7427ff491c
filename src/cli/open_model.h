#pragma once
// A folder with a model as people have it, as a lesson: the code of its family (lessons/models) and the views that were
// asked for. What was asked and the texts of the tokens are files that this code reads, so every command that takes a
// lesson takes a model.
#include <string>

#include "cli/request.h"
#include "lesson/lesson.h"

namespace attn {

/// The name of the small model of lesson 18, which is built in.
inline constexpr const char* kBuiltInModel = "model";

/// Whether it is a folder, or kBuiltInModel.
bool is_model(const std::string& word);

///   Errors: UserError; FileError.
Lesson open_model(const Request& request);

}  // namespace attn
