// libedit converts characters by the locale of the calling thread: it runs in a UTF-8 one, whatever the program was
// started with, and only while it runs. It draws and edits; bytes come from Terminal::read(), so that signals, pastes
// and a closed terminal are seen at one place. Where it wants to wait it calls next_character() below.
#include "stepper/line_prompt.h"

#include <histedit.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <deque>

#include "base/text.h"
#include "base/utf8.h"
#include "text/say.h"

#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace attn {
namespace {

/// A thread's locale for the conversion of characters, and the former one afterwards.
class Utf8Locale {
 public:
  Utf8Locale() : before_(uselocale(locale())) {}
  ~Utf8Locale() { uselocale(before_); }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  // 0, which changes nothing, where a system has none of them.
  static locale_t locale() {
    static const locale_t utf8 = [] {
      for (const char* name : {"C.UTF-8", "en_US.UTF-8", "UTF-8"}) {
        if (locale_t found = newlocale(LC_CTYPE_MASK, name, nullptr)) return found;
      }
      return locale_t{};
    }();
    return utf8;
  }
  locale_t before_;
};

std::wstring wide(std::string_view text) {
  std::wstring out;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded one = decode(text.substr(i));
    out += static_cast<wchar_t>(one.code < 0 ? 0xFFFD : one.code);
    i += one.size;
  }
  return out;
}

std::string narrow(const wchar_t* begin, const wchar_t* end) {
  std::string out;
  for (; begin != end; ++begin) {
    const auto c = static_cast<std::uint32_t>(*begin);  // NOLINT(bugprone-signed-char-misuse): it is no char
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out += static_cast<char>(more == 0 ? c : (0xFF00U >> (more + 1) & 0xFFU) | c >> 6 * more);
    for (int k = more - 1; k >= 0; --k) out += static_cast<char>(0x80U | (c >> 6 * k & 0x3FU));
  }
  return out;
}

// Keys as the characters that libedit has bound in its emacs mode.
struct EditKey {
  KeyName name;
  wchar_t character;
};
constexpr wchar_t kEscape = 0x1b;
constexpr wchar_t ctrl(char letter) { return static_cast<wchar_t>(letter & 0x1f); }
constexpr EditKey kEditKeys[] = {{KeyName::Enter, L'\n'},      {KeyName::Tab, L'\t'},       {KeyName::Backspace, 0x7f},
                                 {KeyName::Delete, ctrl('d')}, {KeyName::Up, ctrl('p')},    {KeyName::Down, ctrl('n')},
                                 {KeyName::Left, ctrl('b')},   {KeyName::Right, ctrl('f')}, {KeyName::Home, ctrl('a')},
                                 {KeyName::End, ctrl('e')}};

constexpr std::size_t kMostShown = 24;  // completions in a list

// What all of them begin with.
std::string common_beginning(const std::vector<Completion>& rows) {
  std::string common = rows.front().text;
  for (const Completion& row : rows) {
    const auto [end, other] = std::mismatch(common.begin(), common.end(), row.text.begin(), row.text.end());
    common.erase(end, common.end());
  }
  return common;
}

std::string completion_list(const std::vector<Completion>& rows, int width) {
  int widest = 0;
  for (const Completion& row : rows) widest = std::max(widest, display_width(row.text));
  widest = std::min(widest, std::max(8, width / 2));
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kMostShown); ++i) {
    const std::string line = "  " + pad_right(rows[i].text, widest) + "  " + visible(rows[i].note);
    text += elide(line, width - 1, true) + "\r\n";
  }
  if (rows.size() > kMostShown)
    text += "  " + say_count("more", static_cast<std::int64_t>(rows.size() - kMostShown), {{"gap", "..."}}) + "\r\n";
  return text;
}

}  // namespace

struct LinePrompt::Editor {
  Editor(Terminal& terminal_given);
  ~Editor();

  static int next_character(EditLine* line, wchar_t* out);
  static wchar_t* show_prompt(EditLine* line);
  static unsigned char complete_word(EditLine* line, int);

  bool take(TerminalEvent event);
  void take_key(const Key& key);
  void insert(const std::string& text);
  void redraw();
  bool is_empty() const;
  unsigned char complete();
  void show_list(const std::vector<Completion>& rows, const std::string& before, const std::string& after);

  Terminal& terminal;
  std::FILE* complaints = nullptr;
  EditLine* line = nullptr;
  HistoryW* history = nullptr;
  std::wstring prompt;
  const PromptRequest* request = nullptr;
  std::string typed;  // to stand in the line when it is first shown
  std::deque<wchar_t> characters;
  TerminalEvent stopped;  // why no line came
};

LinePrompt::Editor::Editor(Terminal& terminal_given) : terminal(terminal_given) {
  const Utf8Locale utf8;
  // It complains about terminals that it does not know, and then does what all of them can.
  complaints = std::fopen("/dev/null", "w");
  line = el_init("attn-tutor", stdin, stdout, complaints ? complaints : stderr);
  history = history_winit();
  if (!line || !history) return;
  HistEventW event;
  history_w(history, &event, H_SETSIZE, static_cast<int>(kMostHistory));
  history_w(history, &event, H_SETUNIQUE, 1);
  // Of its settings for a line and for what comes after one (-x) the second are to be raw too: otherwise the terminal
  // would echo and keep back what is typed ahead. The first are put right by Terminal::read().
  el_wset(line, EL_SETTY, L"-x", L"-icanon", L"-echo", L"-iexten", L"-icrnl", nullptr);
  terminal.keep_raw();
  el_wset(line, EL_CLIENTDATA, this);
  el_wset(line, EL_SIGNAL, 0);
  el_wset(line, EL_EDITOR, L"emacs");
  el_wset(line, EL_PROMPT, &show_prompt);
  el_wset(line, EL_GETCFN, &next_character);
  el_wset(line, EL_ADDFN, L"attn-complete", L"completes names", &complete_word);
  for (const auto& [key, function] : {std::pair{L"^I", L"attn-complete"},
                                      {L"^R", L"em-inc-search-prev"},
                                      {L"^W", L"ed-delete-prev-word"},
                                      {L"^V", L"ed-unassigned"}}) {
    el_wset(line, EL_BIND, key, function, nullptr);
  }
}

LinePrompt::Editor::~Editor() {
  const Utf8Locale utf8;
  if (history) history_wend(history);
  if (line) el_end(line);
  if (complaints) std::fclose(complaints);
}

wchar_t* LinePrompt::Editor::show_prompt(EditLine* line) {
  Editor* self = nullptr;
  el_wget(line, EL_CLIENTDATA, &self);
  return self->prompt.data();
}

unsigned char LinePrompt::Editor::complete_word(EditLine* line, int) {
  Editor* self = nullptr;
  el_wget(line, EL_CLIENTDATA, &self);
  return self->complete();
}

// 1 with a character, 0 when the line ends without one.
int LinePrompt::Editor::next_character(EditLine* line, wchar_t* out) {
  Editor* self = nullptr;
  el_wget(line, EL_CLIENTDATA, &self);
  if (!self->typed.empty()) self->insert(std::exchange(self->typed, {}));
  while (self->characters.empty()) {
    if (!self->take(self->terminal.read())) return 0;
  }
  *out = self->characters.front();
  self->characters.pop_front();
  return 1;
}

bool LinePrompt::Editor::take(TerminalEvent event) {
  switch (event.kind) {
    case TerminalEvent::Kind::Key: {
      if (event.key.name == KeyName::Escape) break;  // the line is given up
      const bool ends = event.key == Key{KeyName::Control, "d"} && is_empty();
      if (!ends) {
        take_key(event.key);
        return true;
      }
      event.kind = TerminalEvent::Kind::End;
      break;
    }
    case TerminalEvent::Kind::Resize:
      if (can_edit_lines()) el_resize(line);
      redraw();
      return true;
    case TerminalEvent::Kind::Resume: redraw(); return true;
    default: break;
  }
  stopped = std::move(event);
  return false;
}

void LinePrompt::Editor::take_key(const Key& key) {
  const bool has_line = !is_empty();
  switch (key.name) {
    case KeyName::Text:
      for (const wchar_t c : wide(key.text)) characters.push_back(c);
      return;
    case KeyName::Paste: insert(key.text); return;
    case KeyName::Control: characters.push_back(ctrl(key.text[0])); return;
    case KeyName::Alt:
      characters.push_back(kEscape);
      for (const wchar_t c : wide(key.text)) characters.push_back(c);
      return;
    case KeyName::Delete:
      if (!has_line) return;  // its character would end the session
      break;
    default: break;
  }
  const auto* row = std::find_if(std::begin(kEditKeys), std::end(kEditKeys),
                                 [&](const EditKey& known) { return known.name == key.name; });
  if (row != std::end(kEditKeys)) characters.push_back(row->character);
}

void LinePrompt::Editor::insert(const std::string& text) {
  el_winsertstr(line, wide(text).c_str());
  terminal.write("\r\x1b[K");
  el_wset(line, EL_REFRESH);
}

void LinePrompt::Editor::redraw() {
  terminal.write("\r\x1b[J");
  el_wset(line, EL_REFRESH);
}

bool LinePrompt::Editor::is_empty() const {
  const LineInfoW* now = el_wline(line);
  return now->buffer == now->lastchar;
}

unsigned char LinePrompt::Editor::complete() {
  if (!request || !request->complete) return CC_ERROR;
  const LineInfoW* now = el_wline(line);
  const std::string before = narrow(now->buffer, now->cursor), after = narrow(now->cursor, now->lastchar);
  const std::size_t last_line = before.rfind('\n') + 1;
  const std::string_view typed_line = std::string_view(before).substr(last_line);
  if (trim(typed_line).empty()) {  // indentation, as in any editor of Python
    el_winsertstr(line, L"    ");
    return CC_REFRESH;
  }
  std::size_t begin = typed_line.size();
  std::vector<Completion> rows;
  try {
    rows = request->complete(typed_line, typed_line.size(), begin);
  } catch (const std::exception&) {  // such as Ctrl-C; it must not pass through libedit
    return CC_ERROR;
  }
  if (rows.empty()) return CC_ERROR;
  const std::string_view word = typed_line.substr(begin);
  const std::string common = common_beginning(rows);
  if (common.size() > word.size()) {
    el_wdeletestr(line, static_cast<int>(wide(word).size()));
    el_winsertstr(line, wide(common).c_str());
    return CC_REFRESH;
  }
  if (rows.size() == 1 && rows[0].note.empty()) return CC_ERROR;  // it stands there already
  show_list(rows, before, after);
  return CC_NORM;
}

// Below the line, which is then drawn again.
void LinePrompt::Editor::show_list(const std::vector<Completion>& rows, const std::string& before,
                                   const std::string& after) {
  const int width = terminal.width(), prompt_width = static_cast<int>(prompt.size());
  const auto rows_of = [&](const std::string& text) {
    int count = 0, offset = prompt_width;
    for (const std::string_view part : split_lines(text)) {
      count += 1 + std::max(0, offset + display_width(part) - 1) / width;
      offset = 0;
    }
    return std::max(1, count);
  };
  const int below = rows_of(before + after) - rows_of(before);
  std::string text;
  for (int i = 0; i <= below; ++i) text += "\r\n";
  terminal.write(text + completion_list(rows, width));
  el_wset(line, EL_REFRESH);
}

// The editor sets the terminal while it is made: that is to happen before anything is typed. It takes memory for a
// whole window, so that one which is too large for it has to become smaller first.
LinePrompt::LinePrompt(Terminal& terminal, const std::vector<std::string>& history) : terminal_(terminal) {
  if (terminal.mode() == TerminalMode::Keys && can_edit_lines()) editor_ = std::make_unique<Editor>(terminal);
  for (const std::string& text : history) remember(text);
}

LinePrompt::~LinePrompt() = default;

void LinePrompt::remember(const std::string& text) {
  if (trim(text).empty()) return;
  std::erase(history_, text);
  history_.push_back(text);
  if (history_.size() > kMostHistory) history_.erase(history_.begin());
}

TerminalEvent LinePrompt::read(const PromptRequest& request) {
  terminal_.mark_pastes(true);
  std::string text;
  std::string prompt = request.prompt, typed = request.typed;
  while (true) {
    TerminalEvent event = read_line(prompt, request, typed);
    if (event.kind != TerminalEvent::Kind::Line) return event;
    text += event.line;
    const bool is_command = text.starts_with(":");
    const std::string_view code = std::string_view(text).substr(text.starts_with("=") ? 1 : 0);
    if (request.is_code && !is_command && wants_more(code)) {
      text += '\n';
      prompt = kMorePrompt;
      typed.clear();
      continue;
    }
    while (text.ends_with('\n')) text.pop_back();
    if (request.is_code && !is_command) remember(text);
    event.line = std::move(text);
    return event;
  }
}

TerminalEvent LinePrompt::read_line(const std::string& prompt, const PromptRequest& request, const std::string& typed) {
  if (terminal_.mode() == TerminalMode::Lines) {
    if (!terminal_.write(prompt)) return {TerminalEvent::Kind::End};
    while (true) {
      TerminalEvent event = terminal_.read();
      if (event.kind == TerminalEvent::Kind::Resume && !terminal_.write(prompt)) return {TerminalEvent::Kind::End};
      if (event.kind != TerminalEvent::Kind::Resume && event.kind != TerminalEvent::Kind::Resize) return event;
    }
  }
  const Utf8Locale utf8;
  if (!can_edit_lines()) {
    terminal_.forget_typed();  // the rest of the line that was begun
    terminal_.write(say("prompt.window") + "\r\n");
    return {TerminalEvent::Kind::Interrupt};
  }
  if (!editor_) editor_ = std::make_unique<Editor>(terminal_);
  Editor& editor = *editor_;
  if (!editor.line) return {TerminalEvent::Kind::End};
  HistEventW ignored;
  history_w(editor.history, &ignored, H_CLEAR);
  for (const std::string& text : history_) history_w(editor.history, &ignored, H_ENTER, wide(text).c_str());
  el_wset(editor.line, EL_HIST, history_w, request.is_code ? editor.history : nullptr);
  editor.prompt = wide(prompt);
  editor.request = request.is_code ? &request : nullptr;
  editor.typed = typed;
  editor.stopped = {TerminalEvent::Kind::End};
  int count = 0;
  const wchar_t* line = el_wgets(editor.line, &count);
  editor.request = nullptr;
  terminal_.keep_raw();
  if (line && count > 0) {
    std::string text = narrow(line, line + count);
    if (text.ends_with('\n')) text.pop_back();
    return {TerminalEvent::Kind::Line, {}, std::move(text)};
  }
  // The line that was begun stays on the screen.
  terminal_.write("\r\n");
  return std::exchange(editor.stopped, {TerminalEvent::Kind::End});
}

}  // namespace attn
