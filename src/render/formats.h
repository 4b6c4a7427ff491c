#pragma once
// The formats of transcripts: a row each. `export`, its help and its messages follow from the rows. A new format is a
// file with one function, which nobody else calls, and a row.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"
#include "render/options.h"

namespace attn {

/// In every transcript, so that the program knows a file as its own before it replaces it.
inline constexpr std::string_view kTranscriptMark = "attn-tutor transcript";

/// Of the transcripts that break lines: the same bytes whatever the terminal is.
inline constexpr int kTranscriptWidth = 100;

/// A line of the index of several transcripts.
struct IndexEntry {
  std::optional<int> number;
  std::string title;
  std::string file;
  std::string summary = {};  // what the lesson is for
  int minutes = 0;           // that it takes; 0: unknown
};

std::string render_index(const std::vector<IndexEntry>& entries);

/// What questions are in a format, without their answers: nothing, since it is the record of the run or a program that
/// checks it; to be read; or to be run by whoever answers them.
enum class Questions { None, Read, Run };

struct Format {
  std::string_view name;       // of --format
  std::string_view extension;  // ".md"
  std::string_view mark;       // how the mark is written in such a file, near its beginning or its end
  std::string_view doc;
  /// `width` of the options counts where lines are broken by it.
  std::string (*render)(const Trace& trace, const RenderOptions& options);
  Questions questions = Questions::None;
  /// Of the page that lists the transcripts of a folder.
  std::string_view index_extension = ".md";
  std::string (*index)(const std::vector<IndexEntry>& entries) = render_index;
};

std::span<const Format> all_formats();

/// The row with that name, or null.
const Format* find_format(std::string_view name);
/// The row for a file of that name, or null.
const Format* format_of_file(std::string_view path);

/// For messages: "txt, md, ..." and ".txt, .md, ...".
std::string format_names();
/// Those that can leave the answers out.
std::string question_format_names();
std::string format_extensions();

/// Whether a beginning or an end of a file has the mark as one of the formats writes it.
bool has_transcript_mark(std::string_view bytes);

}  // namespace attn
