// md4c calls back for every start and end of a block or span and for every piece of text. md4c does not recurse, and
// neither does this file: nesting is counted. Over 400 lines, because the blocks share one state.
#include "lesson/markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "lesson/fence.h"
#include "lesson/masked_text.h"
#include "lesson/questions.h"
#include "lesson/runs.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::size_t kMaxNesting = 200;
// md4c fills up short rows of tables and repeats link definitions: a small file could become a large one.
constexpr std::size_t kMaxEvents = 2'000'000;
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

struct List {
  bool ordered = false;
  unsigned next = 1;
  char delimiter = '.';
};

/// The code block that is being read.
struct CodeText {
  bool open = false;
  bool fenced = false;
  std::string info;  // all words of the fence
  std::size_t info_at = kNowhere;
  std::string text;
  std::size_t first = kNowhere;  // offset of the first piece that comes from the file
  std::size_t end = 0;           // of the last
  int feeds = 0;                 // empty lines before the first
};

class MarkdownReader {
 public:
  MarkdownReader(const Source& file, const LessonExists& lesson_exists, LoadFindings& findings, bool title_only)
      : text_(file),
        run_reader_(text_, lesson_exists, findings),
        findings_(findings),
        title_only_(title_only),
        file_(file) {}

  /// False when the text was refused.
  bool run();
  bool refused() const { return refused_; }
  std::vector<LessonBlock> take_blocks() { return std::move(blocks_); }
  const std::string& title() const { return title_; }

 private:
  // Each returns whether to go on.
  bool enter(MD_BLOCKTYPE type, const void* detail);
  bool leave(MD_BLOCKTYPE type);
  bool enter(MD_SPANTYPE type, const void* detail);
  bool leave(MD_SPANTYPE type);
  bool add_text(MD_TEXTTYPE type, std::string_view piece);
  bool within_bounds(std::size_t bytes);

  void start(Prose::Kind kind);
  void flush();
  Runs& runs();
  void start_list(List list);
  void start_item();
  void end_item();
  void add_cell_of_table(const MD_BLOCK_TD_DETAIL& detail, bool head);
  void end_display_formula();
  void end_quote();

  void start_code(const MD_BLOCK_CODE_DETAIL& detail);
  void add_code(std::string_view piece);
  void end_code();
  int opening_line() const;
  void check_closed(int opening);
  void check_language(std::string_view word, int opening);
  void add_cell(std::string_view words, int first_line);

  const MaskedText text_;
  RunReader run_reader_;
  LoadFindings& findings_;
  const bool title_only_;
  const Source& file_;

  std::vector<LessonBlock> blocks_;
  std::size_t last_cell_ = kNowhere;  // in blocks_
  int n_cells_ = 0;
  std::string title_;

  Prose current_;
  bool open_ = false;   // current_ is being filled
  bool table_ = false;  // ... and is a table
  std::string marker_;  // of a list item that has no block yet
  std::vector<List> lists_;
  std::size_t quotes_ = 0;
  std::size_t quote_start_ = 0;    // in blocks_, of the outermost quote
  std::size_t display_start_ = 0;  // in runs(), of a formula on its own
  CodeText code_;

  std::size_t cursor_ = 0;  // end of the last piece from the file
  std::size_t n_events_ = 0, n_bytes_ = 0;
  bool refused_ = false;
};

/// In tables a bar in code has a backslash in front, which md4c leaves there.
void unescape_bars(Runs& cell) {
  for (Run& run : cell) {
    if (run.kind != Run::Kind::Text || !run.code) continue;
    for (std::size_t at = run.text.find("\\|"); at != kNowhere; at = run.text.find("\\|", at + 1))
      run.text.erase(at, 1);
  }
}

/// md4c goes on while its callbacks return 0.
template <typename Call>
int go_on(void* user, Call call) {
  auto& reader = *static_cast<MarkdownReader*>(user);
  return !reader.refused() && call(reader) ? 0 : 1;
}

bool MarkdownReader::run() {
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOHTML | MD_FLAG_STRIKETHROUGH;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    return go_on(user, [&](MarkdownReader& reader) { return reader.enter(type, detail); });
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
    return go_on(user, [&](MarkdownReader& reader) { return reader.leave(type); });
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    return go_on(user, [&](MarkdownReader& reader) { return reader.enter(type, detail); });
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    return go_on(user, [&](MarkdownReader& reader) { return reader.leave(type); });
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* piece, MD_SIZE size, void* user) {
    return go_on(user, [&](MarkdownReader& reader) { return reader.add_text(type, {piece, size}); });
  };
  const std::string_view input = text_.text();
  // md4c 0.4 does not always pass on that a callback refused.
  return md_parse(input.data(), static_cast<MD_SIZE>(input.size()), &parser, this) == 0 && !refused_;
}

bool MarkdownReader::within_bounds(std::size_t bytes) {
  if (refused_) return false;
  n_bytes_ += bytes;
  ++n_events_;
  const bool deep = lists_.size() + quotes_ > kMaxNesting;
  if (!deep && n_events_ <= kMaxEvents && n_bytes_ <= kMaxBytes) return true;
  refused_ = true;
  findings_.error(text_.line_span(text_.line_of(cursor_)),
                  deep ? say("file.nested", {{"most", std::to_string(kMaxNesting)}}) : say("file.grows"));
  return false;
}

bool MarkdownReader::enter(MD_BLOCKTYPE type, const void* detail) {
  switch (type) {
    case MD_BLOCK_H:
      start(Prose::Kind::Heading);
      current_.level = static_cast<int>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
      break;
    case MD_BLOCK_UL: start_list({false, 1, '-'}); break;
    case MD_BLOCK_OL: {
      const auto* list = static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
      start_list({true, list->start, list->mark_delimiter});
      break;
    }
    case MD_BLOCK_LI: start_item(); break;
    case MD_BLOCK_QUOTE:
      flush();
      if (quotes_++ == 0) quote_start_ = blocks_.size();
      break;
    case MD_BLOCK_CODE: start_code(*static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)); break;
    case MD_BLOCK_HR: start(Prose::Kind::Rule); break;
    case MD_BLOCK_TABLE:
      start(Prose::Kind::Table);
      table_ = true;
      break;
    case MD_BLOCK_TR: current_.rows.emplace_back(); break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD: add_cell_of_table(*static_cast<const MD_BLOCK_TD_DETAIL*>(detail), type == MD_BLOCK_TH); break;
    case MD_BLOCK_P: flush(); break;  // it starts with its first text
    default: break;
  }
  return within_bounds(0);
}

bool MarkdownReader::leave(MD_BLOCKTYPE type) {
  switch (type) {
    case MD_BLOCK_H:
      if (title_.empty()) title_ = plain_text(current_.runs);
      flush();
      return !title_only_;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL: lists_.pop_back(); break;
    case MD_BLOCK_LI: end_item(); break;
    case MD_BLOCK_QUOTE:
      flush();
      if (--quotes_ == 0) end_quote();
      break;
    case MD_BLOCK_CODE: end_code(); break;
    case MD_BLOCK_TABLE: table_ = false; [[fallthrough]];
    case MD_BLOCK_HR:
    case MD_BLOCK_P: flush(); break;
    default: break;
  }
  return true;
}

bool MarkdownReader::enter(MD_SPANTYPE type, const void* detail) {
  if (type == MD_SPAN_LATEXMATH_DISPLAY) display_start_ = runs().size();
  run_reader_.enter(type, detail);
  return within_bounds(type == MD_SPAN_A ? static_cast<const MD_SPAN_A_DETAIL*>(detail)->href.size : 0);
}

bool MarkdownReader::leave(MD_SPANTYPE type) {
  run_reader_.leave(type, runs());
  if (type == MD_SPAN_LATEXMATH_DISPLAY) end_display_formula();
  return true;
}

bool MarkdownReader::add_text(MD_TEXTTYPE type, std::string_view piece) {
  const std::size_t offset = text_.offset_of(piece);
  if (offset != kNowhere) cursor_ = offset + piece.size();
  if (code_.open) {
    add_code(piece);
  } else {
    Runs& target = runs();
    if (offset != kNowhere && current_.line == 0) current_.line = text_.line_of(offset);
    run_reader_.text(type, piece, target);
  }
  return within_bounds(piece.size());
}

void MarkdownReader::start(Prose::Kind kind) {
  flush();
  current_ = Prose{};
  current_.kind = kind;
  current_.line = 0;  // its first text tells
  current_.depth = static_cast<int>(lists_.size());
  current_.quotes = static_cast<int>(quotes_);
  current_.marker = std::exchange(marker_, {});
  open_ = true;
}

void MarkdownReader::flush() {
  if (!open_) return;
  open_ = false;
  if (current_.line == 0) current_.line = text_.line_of(cursor_);
  trim_runs(current_.runs);
  for (auto& row : current_.rows) {
    for (Runs& cell : row) unescape_bars(cell);
  }
  const bool paragraph = current_.kind == Prose::Kind::Paragraph || current_.kind == Prose::Kind::ListItem;
  // What a display formula leaves behind may be nothing.
  if (paragraph && current_.runs.empty() && current_.marker.empty()) return;
  blocks_.emplace_back(std::move(current_));
}

/// Where inline text goes. In tight lists and after display formulas no block was announced.
Runs& MarkdownReader::runs() {
  if (table_ && !current_.rows.empty() && !current_.rows.back().empty()) return current_.rows.back().back();
  if (!open_) start(lists_.empty() ? Prose::Kind::Paragraph : Prose::Kind::ListItem);
  return current_.runs;
}

void MarkdownReader::start_list(List list) {
  flush();
  if (!marker_.empty()) start(Prose::Kind::ListItem);  // an item that begins with a list has a line of its own
  flush();
  lists_.push_back(list);
}

void MarkdownReader::start_item() {
  flush();
  List& list = lists_.back();
  marker_ = list.ordered ? fmt::format("{}{}", list.next++, list.delimiter) : "-";
}

void MarkdownReader::end_item() {
  if (!marker_.empty()) start(Prose::Kind::ListItem);  // an empty item
  flush();
}

void MarkdownReader::add_cell_of_table(const MD_BLOCK_TD_DETAIL& detail, bool head) {
  current_.rows.back().emplace_back();
  if (!head) return;
  constexpr Align kAligns[] = {Align::Default, Align::Left, Align::Center, Align::Right};
  current_.aligns.push_back(kAligns[detail.align]);
}

/// A formula in $$ becomes a block of its own; the text around it stays two paragraphs. In headings and tables it
/// stays where it is.
void MarkdownReader::end_display_formula() {
  if (table_ || current_.kind == Prose::Kind::Heading || runs().size() <= display_start_) return;
  Run formula = std::move(current_.runs.back());
  current_.runs.pop_back();
  const int line = text_.line_of(formula.span.begin);
  if (current_.runs.empty()) marker_ = std::exchange(current_.marker, {});
  start(Prose::Kind::Formula);
  current_.line = line;
  current_.text = formula.text;
  flush();
}

/// Hints and reasons leave the quote for their cell.
void MarkdownReader::end_quote() {
  std::vector<Prose> quote;
  for (std::size_t i = quote_start_; i < blocks_.size(); ++i) quote.push_back(std::move(std::get<Prose>(blocks_[i])));
  blocks_.resize(quote_start_);
  Cell* cell = last_cell_ == kNowhere ? nullptr : &std::get<Cell>(blocks_[last_cell_]);
  for (Prose& prose : attach_quote(std::move(quote), cell, findings_)) blocks_.emplace_back(std::move(prose));
}

// ---- Code blocks

void MarkdownReader::start_code(const MD_BLOCK_CODE_DETAIL& detail) {
  flush();
  code_ = CodeText{};
  code_.open = true;
  code_.fenced = detail.fence_char != 0;
  if (detail.info.text == nullptr) return;
  const std::string_view info(detail.info.text, detail.info.size);
  code_.info = text_.original(info);
  code_.info_at = text_.offset_of(info);
  if (code_.info_at != kNowhere) cursor_ = code_.info_at + info.size();
}

void MarkdownReader::add_code(std::string_view piece) {
  const std::size_t offset = text_.offset_of(piece);
  if (offset != kNowhere) {
    if (code_.first == kNowhere) code_.first = offset;
    code_.end = offset + piece.size();
  } else if (code_.first == kNowhere && piece == "\n") {
    ++code_.feeds;
  }
  code_.text += text_.original(piece);
}

void MarkdownReader::end_code() {
  code_.open = false;
  const int opening = opening_line();
  const int first_line = code_.fenced ? opening + 1 : opening;
  const std::string_view info = trim(code_.info);
  const std::string_view language = info.substr(0, info.find_first_of(" \t"));
  if (code_.fenced) check_closed(opening);
  // Code in a quote belongs to a hint or is an example.
  if (code_.fenced && language == "python" && quotes_ == 0) return add_cell(info.substr(language.size()), first_line);
  if (quotes_ == 0) check_language(language, opening);
  start(Prose::Kind::Code);
  current_.line = first_line;
  current_.language = language;
  current_.text = std::move(code_.text);
  flush();
}

/// The line of the fence (of the first line of an indented block).
int MarkdownReader::opening_line() const {
  if (code_.first != kNowhere) return text_.line_of(code_.first) - code_.feeds - (code_.fenced ? 1 : 0);
  if (code_.info_at != kNowhere) return text_.line_of(code_.info_at);
  int line = text_.line_of(cursor_);
  const int last = text_.line_of(file_.text.size());
  const auto is_fence = [&](std::string_view text) {
    return text.find("```") != kNowhere || text.find("~~~") != kNowhere;
  };
  while (line < last && !is_fence(text_.line(line))) ++line;
  return line;
}

void MarkdownReader::check_closed(int opening) {
  int line = std::max(opening, code_.first == kNowhere ? 0 : text_.line_of(code_.end));
  const int last = text_.line_of(file_.text.size());
  std::string_view rest;
  while (rest.empty() && ++line <= last) {
    rest = text_.line(line);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t>"), rest.size()));
  }
  if (rest.starts_with("```") || rest.starts_with("~~~")) {
    cursor_ = text_.line_span(line).end + 1;  // so that no later block is taken to begin here
    return;
  }
  findings_.error(text_.line_span(opening), say("prose.open", {{"line", std::to_string(opening)}}),
                  say("prose.open.hint"));
}

void MarkdownReader::check_language(std::string_view word, int opening) {
  const bool meant = word == "py" || word == "python3" || word == "Python" || !nearest(word, {"python"}).empty();
  if (word == "python" || !meant) return;
  findings_.warning(text_.line_span(opening), say("prose.language", {{"language", std::string(word)}}),
                    say("prose.language.hint"));
}

void MarkdownReader::add_cell(std::string_view words, int first_line) {
  words = trim(words);  // a part of code_.info
  Cell cell;
  cell.ordinal = ++n_cells_;
  cell.fence = text_.line_span(first_line - 1);
  if (code_.info_at != kNowhere && !words.empty()) {
    const std::size_t begin = code_.info_at + static_cast<std::size_t>(words.data() - code_.info.data());
    cell.fence = span_of(0, begin, begin + words.size());
  }
  cell.options = parse_fence(words, cell.fence, findings_);
  cell.source = {file_.name, code_.text, first_line};
  cell.written = std::move(code_.text);
  marker_.clear();
  last_cell_ = blocks_.size();
  blocks_.emplace_back(std::move(cell));
}

}  // namespace

std::vector<LessonBlock> read_markdown(const Source& file, const LessonExists& lesson_exists, LoadFindings& findings) {
  MarkdownReader reader(file, lesson_exists, findings, false);
  if (!reader.run()) return {};
  return reader.take_blocks();
}

std::string read_title(const Source& file) {
  LoadFindings ignored;
  const LessonExists unchecked;
  MarkdownReader reader(file, unchecked, ignored, true);
  reader.run();
  return reader.title();
}

}  // namespace attn
