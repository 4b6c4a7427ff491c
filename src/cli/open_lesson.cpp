#include "cli/open_lesson.h"

#include <filesystem>

#include "base/files.h"
#include "cli/open_model.h"
#include "cli/output.h"
#include "engine/student.h"
#include "lesson/load.h"
#include "lesson/program.h"
#include "text/say.h"

namespace attn {
namespace {

// A Markdown file that is no lesson is a program like a notebook.
bool is_program(const std::string& path) {
  if (is_program_name(path)) return true;
  return path.ends_with(".md") && is_file(path) && !has_lesson_form(path, read_file(path, kMaxLessonSize));
}

}  // namespace

std::string own_lessons() {
  if (const std::string data = absolute_variable("XDG_DATA_HOME"); !data.empty()) return data + "/attn-tutor/lessons";
  if (const std::string home = absolute_variable("HOME"); !home.empty())
    return home + "/.local/share/attn-tutor/lessons";
  return "";
}

Catalogue shared_catalogue(const Request& request) {
  return request.lessons.empty() ? Catalogue::built_in() : Catalogue::folder(request.lessons);
}

Catalogue open_catalogue(const Request& request) {
  Catalogue catalogue = shared_catalogue(request);
  const std::string own = own_lessons();
  std::error_code error;
  if (!request.lessons.empty() || !std::filesystem::exists(own, error)) return catalogue;
  try {
    catalogue.add_own(own);
  } catch (const FileError& failure) {
    report(failure.what());
  }
  return catalogue;
}

// One error is enough to act on; `check` shows them all.
static void tell(const LoadFindings& findings, const Source& source, const Request& request) {
  for (const Diagnostic& finding : findings.diagnostics) {
    if (finding.severity == Severity::Error) throw UserError(finding, source, UserError::Fault::Input);
    if (!request.quiet) report(finding, source, request);
  }
}

Lesson open_lesson(const Request& request) {
  LoadFindings findings;
  Lesson lesson = open_catalogue(request).open(request.word, findings);
  tell(findings, lesson.source, request);
  return lesson;
}

void require_lesson(const Request& request, const std::string& file, const std::string& named, const Lesson& lesson) {
  if (named.empty() || named == lesson.id) return;
  const Catalogue catalogue = open_catalogue(request);
  const auto titled = [&](const std::string& id) {  // "3 (batch)"; the id alone of one that is not in the list
    const CatalogueEntry* entry = catalogue.find(id);
    return entry && entry->number ? std::to_string(*entry->number) + " (" + id + ")" : id;
  };
  throw UserError(say("grade.other", {{"file", file}, {"other", titled(named)}, {"lesson", titled(lesson.id)}}), "",
                  UserError::Fault::Input);
}

Lesson open_program(const Request& request) {
  if (is_model(request.word)) return open_model(request);
  if (!is_program(request.word)) return open_lesson(request);
  LoadFindings findings;
  Lesson program = load_program(request.word, read_file(request.word, kMaxNotebookSize), findings);
  const bool is_script = program.form == LessonForm::Script && !findings.failed();
  tell(findings, is_script ? cells(program).front()->source : program.source, request);
  program.folder = files_of_folder(std::filesystem::path(request.word).parent_path().string());
  return program;
}

Request with_student(Request request, const Lesson& lesson) {
  if (request.student.empty()) return request;
  const RunOptions own = student_run(lesson, request.student);
  request.run.seed = own.seed;
  request.run.set = own.set;
  return request;
}

std::string progress_name(const Lesson& lesson, const std::string& word) {
  std::error_code error;
  const bool is_own = !own_lessons().empty() && lesson.path.starts_with(own_lessons() + "/");
  if (!is_own && !is_file(word)) return lesson.id;
  const std::filesystem::path path = std::filesystem::weakly_canonical(is_own ? lesson.path : word, error);
  return error ? lesson.id : path.string();
}

}  // namespace attn
