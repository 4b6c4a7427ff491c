#pragma once
// The inline part of reading Markdown: styles, links, formulas and fields, from md4c's events to Runs.
#include <md4c.h>

#include <string>
#include <string_view>
#include <vector>

#include "lesson/findings.h"
#include "lesson/lesson.h"
#include "lesson/masked_text.h"

namespace attn {

class RunReader {
 public:
  RunReader(const MaskedText& text, const LessonExists& lesson_exists, LoadFindings& findings)
      : text_(text), lesson_exists_(lesson_exists), findings_(findings) {}

  void enter(MD_SPANTYPE type, const void* detail);
  /// `runs` is where a formula goes that ends here.
  void leave(MD_SPANTYPE type, Runs& runs);
  void text(MD_TEXTTYPE type, std::string_view piece, Runs& runs);

 private:
  Run styled(Run::Kind kind, std::string text, Span place = {}) const;
  void append(Run run, Runs& runs) const;
  void add_fields(std::string_view piece, Runs& runs);
  void add_plain(std::string_view piece, std::size_t offset, Runs& runs);
  void end_formula(Runs& runs);
  void start_link(const MD_ATTRIBUTE& address);
  void end_link();

  const MaskedText& text_;
  const LessonExists& lesson_exists_;
  LoadFindings& findings_;

  // How many spans of each style are open.
  int emph_ = 0, strong_ = 0, strike_ = 0, code_ = 0;
  std::vector<std::string> hrefs_;
  std::string link_fault_;
  std::size_t link_start_ = kNowhere;
  std::string formula_;
  std::size_t formula_start_ = kNowhere;
  std::size_t cursor_ = 0;
};

/// Without blanks at both ends.
void trim_runs(Runs& runs);

}  // namespace attn
