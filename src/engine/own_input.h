#pragma once
// --text, --data and --vocab: a learner's own words and ids in the place of the data that a lesson reads. They fill the
// names `sentences`, `token_ids` and `vocab` where the lesson binds them with data=, a program to a list.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/file_bytes.h"
#include "engine/trace.h"
#include "lesson/own_words.h"
#include "lesson/vocabulary.h"
#include "syntax/names.h"

namespace attn {

/// The word that fills up the shorter sentences of a batch.
inline constexpr std::string_view kPadding = "<pad>";

/// What the learner gave, read but not yet checked against a lesson.
struct OwnInput {
  std::vector<Source> sources;         // of the spans
  std::vector<OwnSentence> sentences;  // of words, or of ids
  bool has_ids = false;
  std::shared_ptr<const Vocabulary> vocabulary;  // of --vocab; null without it
};

/// The words of one or more texts.
///   Errors: UserError (not UTF-8, no word); LimitReached.
OwnInput own_text(std::vector<Source> texts);

/// Sentences of ids from an array of whole numbers with one axis (one sequence) or two (a sequence in each row).
///   Errors: BadFile, also for other arrays and for numbers below 0.
std::vector<OwnSentence> read_npy_ids(const BytesAt& bytes);

/// Whether the learner's data may take the place of the value: of any in a cell with data= that is not `fixed`, in a
/// program of a list that is not empty.
bool can_be_filled(const Lesson& lesson, const Cell& cell, const Assignment& assignment);

/// The literals that the input puts in the place of a lesson's own, by name; empty without an input.
///   Errors: UserError for a word or an id outside of the vocabulary, when the lesson binds none of the names, or has a
///   vocabulary of its own (`fixed`) and another one is given; LimitReached.
std::map<std::string, std::string> own_literals(const Lesson& lesson, const RunOptions& options);

/// Statements that bind all of the names, for code without a lesson around it.
///   Errors: UserError.
std::string own_bindings(const OwnInput& input);

}  // namespace attn
