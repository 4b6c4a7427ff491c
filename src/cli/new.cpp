// attn-tutor new: a lesson file to begin with, which shows one of each thing that a lesson may hold.
#include <filesystem>

#include "base/embedded.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "lesson/load.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kTemplate = "data/new_lesson.md";
constexpr std::string_view kEnding = ".md";

// "12-rotary-positions" -> "Rotary positions"
std::string title_from_name(const std::string& path) {
  std::string title = lesson_name(path).id;
  for (char& c : title) c = c == '-' || c == '_' ? ' ' : c;
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

void replace(std::string& text, std::string_view what, std::string_view with) {
  if (const std::size_t place = text.find(what); place != std::string::npos) text.replace(place, what.size(), with);
}

std::string lesson_text(const std::string& path) {
  std::string text(embedded_file(kTemplate));
  replace(text, "TITLE", title_from_name(path));
  replace(text, "FILE", path.substr(path.rfind('/') + 1));
  return text;
}

// Names that would make a file which shells, Markdown or the list of lessons stumble over.
bool is_plain(std::string_view name) {
  return !name.empty() && name.front() != '-' && name.front() != '.' && name == visible(name) &&
         name.find_first_of("`\\\n\t*_[]<>{}\"'") == std::string_view::npos;
}

int run_new(const Request& request) {
  std::string path = request.word;
  if (!request.lessons.empty()) path = request.lessons + "/" + path;
  if (!path.ends_with(kEnding)) path += kEnding;
  const std::string name = path.substr(path.rfind('/') + 1);
  if (!is_plain(name.substr(0, name.size() - kEnding.size())))
    throw UserError(say("new.name", {{"name", elide(visible(request.word), 40)}}), "attn-tutor new rotary-positions");
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error)))
    throw UserError(say("new.exists", {{"path", path}}), say("new.another"), UserError::Fault::Output);
  write_whole_file(path, lesson_text(path));
  if (!request.quiet) write_out(say("new.done", {{"path", visible(path)}, {"folder", own_lessons()}}) + "\n");
  return kFine;
}

}  // namespace

const Command kNewCommand = {
    "new", "Makes a lesson file of your own, with an example of everything that a lesson may contain.",
    kTakesNew | kTakesCatalogue, run_new, "attn-tutor new rotary-positions"};

}  // namespace attn
