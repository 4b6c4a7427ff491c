// Regular expressions: what src/lib/re.py has beside Python. PCRE2 finds matches; where its syntax means something else
// than Python's, or is none of Python's, a pattern is rewritten or refused first.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "base/limits.h"
#include "python/modules/library.h"
#include "text/say.h"
#include "text/unsupported.h"

namespace attn {
namespace {

// Python's numbers of its flags.
enum PatternFlag : std::int64_t {
  kIgnoreCase = 2,
  kLocale = 4,
  kMultiline = 8,
  kDotAll = 16,
  kVerbose = 64,
  kAscii = 256
};

// Steps of one search: so many as nobody waits for, and so many as take a second or some.
constexpr std::uint32_t kQuick = 500'000, kMostBacktracking = 20'000'000;
// Beyond so many bytes each call may look at all of a text before it begins.
constexpr std::size_t kLong = std::size_t{1} << 17;

// Far more than PCRE takes, which finds that out at the end.
constexpr std::size_t kLargestPattern = std::size_t{1} << 20;

/// re.compile() says it as Python does; one that a program has put into a compiled pattern is a ValueError.
struct PatternError : CellError {
  explicit PatternError(std::string message) : CellError(Code::Value, {}, std::move(message)) {}
};

/// Rewrites a pattern of Python's.
class PatternWriter {
 public:
  PatternWriter(std::string_view pattern, std::int64_t flags) : rest_(pattern), is_verbose_(flags & kVerbose) {}

  std::string write() {
    while (!rest_.empty()) {
      const char next = take();
      if (next == '\\') escape();
      else if (in_class_) in_class(next);
      else if (next == '[') open_class();
      else if (next == '(') open_group();
      else if (next == ')') close_group();
      else if (next == '{' && rest_.starts_with(",")) out_ += "{0";
      else if (next == '#' && is_verbose_) rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else out_ += next;
    }
    return out_;
  }

  /// The numbers of the groups in the order in which their brackets close.
  const std::vector<std::int64_t>& closed() const { return closed_; }

 private:
  char take() {
    const char next = rest_[0];
    rest_.remove_prefix(1);
    return next;
  }

  void escape() {
    if (rest_.empty()) throw PatternError{"bad escape (end of pattern)"};
    const char letter = take();
    const bool is_known =
        std::string_view(in_class_ ? "abdDfnrsStuUvwWx" : "AabBdDfnrsStuUvwWxZ").find(letter) != std::string_view::npos;
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    if (letter == 'N') throw unsupported({}, "unsupported.re", {{"what", "\\N{...}"}});
    if (is_letter && !is_known) throw PatternError{fmt::format("bad escape \\{}", letter)};
    if (letter == 'Z') out_ += "\\z";
    else if (letter == 'v') out_ += "\\x0b";
    else if (letter == 'u' || letter == 'U') code_point(letter == 'u' ? 4 : 8);
    else out_ += {'\\', letter};
  }

  void code_point(std::size_t digits) {
    const std::string_view number = rest_.substr(0, digits);
    if (number.size() < digits || number.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
      throw PatternError{"incomplete escape"};
    out_ += fmt::format("\\x{{{}}}", number);
    rest_.remove_prefix(digits);
  }

  void open_class() {
    in_class_ = true;
    out_ += '[';
    if (rest_.starts_with("^")) out_ += take();
    if (rest_.starts_with("]")) rest_.remove_prefix(1), out_ += "\\]";
  }

  void in_class(char next) {
    if (next == '[') out_ += '\\';
    if (next == ']') in_class_ = false;
    out_ += next;
  }

  void open_group() {
    if (rest_.starts_with("*")) throw PatternError{"nothing to repeat"};
    if (rest_.starts_with("?#")) return rest_.remove_prefix(through_bracket().size());  // a comment
    const bool captures = !rest_.starts_with("?") || rest_.starts_with("?P<");
    opened_.push_back(captures ? ++count_ : 0);
    out_ += '(';
    if (!rest_.starts_with("?")) return;
    if (rest_.starts_with("?(")) {  // asks whether a group has matched
      const std::string_view question = through_bracket();
      out_ += question;
      return rest_.remove_prefix(question.size());
    }
    const std::string_view kind = rest_.substr(1);
    for (const std::string_view same : {":", "=", "!", ">", "<=", "<!", "P<", "P="})
      if (kind.starts_with(same)) return;
    const std::size_t end = kind.find_first_not_of("aiLmsux-");
    if (end == 0 || end == std::string_view::npos || (kind[end] != ')' && kind[end] != ':'))
      throw PatternError{fmt::format("unknown extension ?{}", kind.substr(0, 1))};
    const std::string_view letters = kind.substr(0, end);
    if (letters.find_first_of("aL") != std::string_view::npos)
      throw unsupported({}, "unsupported.re", {{"what", fmt::format("(?{})", letters)}});
    is_verbose_ = is_verbose_ || letters.find('x') < letters.find('-');
    out_ += '?';
    for (const char letter : letters)
      if (letter != 'u') out_ += letter;  // which always holds
    rest_.remove_prefix(1 + end);
  }

  std::string_view through_bracket() const {
    const std::size_t end = rest_.find(')');
    if (end == std::string_view::npos) throw PatternError{"missing ), unterminated subpattern"};
    return rest_.substr(0, end + 1);
  }

  void close_group() {
    out_ += ')';
    if (opened_.empty()) return;  // which PCRE2 says
    if (opened_.back() > 0) closed_.push_back(opened_.back());
    opened_.pop_back();
  }

  std::string_view rest_;
  std::string out_;
  std::vector<std::int64_t> opened_, closed_;  // opened: 0 for brackets that are no group
  std::int64_t count_ = 0;
  bool in_class_ = false, is_verbose_;
};

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
using Pattern = std::unique_ptr<pcre2_code, FreeCode>;

/// `more`: other options of PCRE2's.
Pattern compile_pattern(const std::string& written, std::int64_t flags, std::uint32_t more = 0) {
  if (flags & kLocale) throw unsupported({}, "unsupported.re", {{"what", "re.LOCALE"}});
  std::uint32_t options = PCRE2_UTF | PCRE2_USE_OFFSET_LIMIT | more;
  if (!(flags & kAscii)) options |= PCRE2_UCP;
  if (flags & kIgnoreCase) options |= PCRE2_CASELESS;
  if (flags & kMultiline) options |= PCRE2_MULTILINE;
  if (flags & kDotAll) options |= PCRE2_DOTALL;
  if (flags & kVerbose) options |= PCRE2_EXTENDED;
  const std::unique_ptr<pcre2_compile_context, void (*)(pcre2_compile_context*)> context(
      pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  PCRE2_SIZE at = 0;
  Pattern code(
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(written.data()), written.size(), options, &error, &at, context.get()));
  if (code) return code;
  PCRE2_UCHAR message[256];
  pcre2_get_error_message(error, message, sizeof message);
  throw PatternError{fmt::format("{} at position {}", reinterpret_cast<const char*>(message), at)};
}

struct KnownPattern {
  Pattern code;
  Pattern looking;                   // the same, but that it calls back wherever it goes on; made when it is needed
  std::vector<std::int64_t> closed;  // PatternWriter's
};

// The patterns of the last calls, as most programs have few.
KnownPattern& pattern_of(const CallArguments& arguments) {
  thread_local std::map<std::pair<std::string, std::int64_t>, KnownPattern> known;
  const Str* pattern = arguments.positional.at(0).as<Str>();
  if (!pattern) throw CellError(Code::Type, {}, "first argument must be string or compiled pattern");
  if (pattern->text.size() > kLargestPattern) throw PatternError{"regular expression is too large at position 0"};
  const std::pair key(pattern->text, as_index(arguments.positional.at(1)).value_or(0));
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  charge(static_cast<std::int64_t>(pattern->text.size()));
  PatternWriter writer(key.first, key.second);
  Pattern made = compile_pattern(writer.write(), key.second);
  if (known.size() >= 100) known.clear();
  return known.emplace(key, KnownPattern{std::move(made), nullptr, writer.closed()}).first->second;
}

// pattern_groups(pattern, flags): how many groups there are, the numbers of those with names, and those of all in the
// order in which they close; a text where the pattern is wrong.
Value pattern_groups(Interpreter&, CallArguments& arguments) {
  const pcre2_code* code = nullptr;
  std::vector<Value> closed;
  try {
    const KnownPattern& known = pattern_of(arguments);
    code = known.code.get();
    closed.assign(known.closed.begin(), known.closed.end());
  } catch (const PatternError& error) {
    return make_str(error.diagnostic().message);
  }
  std::uint32_t groups = 0, names = 0, entry = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
  pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names);
  pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &entry);
  pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
  std::map<std::int64_t, std::string> by_number;
  for (; names-- > 0; table += entry) by_number[256 * table[0] + table[1]] = reinterpret_cast<const char*>(table + 2);
  Ref<Dict> numbers = make<Dict>();
  for (const auto& [number, name] : by_number) numbers->set(make_str(name), Value(number));
  return make_tuple({Value(std::int64_t{groups}), numbers, make_tuple(std::move(closed))});
}

/// Characters of a text by their bytes; each costs its distance from the one before.
class Characters {
 public:
  /// From the place on before which so many characters stand.
  Characters(std::string_view text, std::size_t byte, std::size_t count) : text_(text), byte_(byte), count_(count) {}
  std::int64_t before(std::size_t byte) {
    for (; byte_ < byte; ++byte_) count_ += begins(byte_);
    for (; byte_ > byte; --byte_) count_ -= begins(byte_ - 1);
    return static_cast<std::int64_t>(count_);
  }

  /// The first byte of the character that a byte belongs to.
  std::size_t start_of(std::size_t byte) const {
    while (byte < text_.size() && byte > 0 && !begins(byte)) --byte;
    return byte;
  }

 private:
  bool begins(std::size_t byte) const { return (text_[byte] & 0xC0) != 0x80; }

  std::string_view text_;
  std::size_t byte_, count_;
};

std::int64_t whole_at(const CallArguments& arguments, std::size_t place) {
  const Value& value = arguments.positional.at(place);
  if (const auto number = as_index(value)) return *number;
  throw CellError(Code::Type, {}, fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
}

/// What a search needs beside the pattern. Its memory counts as that of tensors.
class Search {
 public:
  explicit Search(const CallArguments& arguments)
      : pattern_(pattern_of(arguments)),
        arguments_(arguments),
        memory_(pcre2_general_context_create(take, give, nullptr), pcre2_general_context_free),
        data_(pcre2_match_data_create_from_pattern(pattern_.code.get(), memory_.get()), pcre2_match_data_free),
        context_(pcre2_match_context_create(nullptr), pcre2_match_context_free) {
    pcre2_set_callout(context_.get(), look_around, nullptr);
  }

  /// PCRE2's answer for a match that begins between the places `from` and `last`. In a long text, and anew where a
  /// search is not quick, the pattern hears an interrupt.
  int run(const std::string& text, std::size_t from, std::size_t last, std::uint32_t options) {
    pcre2_set_offset_limit(context_.get(), last);
    const auto match = [&](const pcre2_code* code, std::uint32_t most) {
      pcre2_set_match_limit(context_.get(), most);
      return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from, options, data_.get(),
                         context_.get());
    };
    if (text.size() < kLong) {
      const int result = match(pattern_.code.get(), kQuick);
      if (result != PCRE2_ERROR_MATCHLIMIT) return result;
    }
    if (!pattern_.looking) {
      const std::int64_t flags = as_index(arguments_.positional.at(1)).value_or(0);
      const std::string pattern = str(arguments_.positional.at(0));
      pattern_.looking = compile_pattern(PatternWriter(pattern, flags).write(), flags, PCRE2_AUTO_CALLOUT);
    }
    return match(pattern_.looking.get(), kMostBacktracking);
  }

  const PCRE2_SIZE* bounds() const { return pcre2_get_ovector_pointer(data_.get()); }
  std::size_t groups() const { return pcre2_get_ovector_count(data_.get()); }

 private:
  static int look_around(pcre2_callout_block*, void*) { return interrupt_requested() ? PCRE2_ERROR_CALLOUT : 0; }

  // Nothing may be thrown through PCRE2.
  static bool may_take(std::int64_t size) noexcept {
    try {
      take_memory(size);
    } catch (const LimitReached&) {
      return false;
    }
    try {
      look_at_memory();  // what objects and texts take, too
    } catch (const LimitReached&) {
      return give_memory(size), false;
    }
    return true;
  }

  // The size stands before what is given away.
  static constexpr std::size_t kHead = alignof(std::max_align_t);
  static void* take(std::size_t size, void*) {
    if (!may_take(static_cast<std::int64_t>(size))) return nullptr;
    char* const block = static_cast<char*>(std::malloc(kHead + size));
    if (!block) return give_memory(static_cast<std::int64_t>(size)), nullptr;
    std::memcpy(block, &size, sizeof size);
    return block + kHead;
  }
  static void give(void* given, void*) {
    if (!given) return;
    char* const block = static_cast<char*>(given) - kHead;
    std::size_t size = 0;
    std::memcpy(&size, block, sizeof size);
    give_memory(static_cast<std::int64_t>(size));
    std::free(block);
  }

  template <class T>
  using Owned = std::unique_ptr<T, void (*)(T*)>;
  KnownPattern& pattern_;
  const CallArguments& arguments_;
  Owned<pcre2_general_context> memory_;
  Owned<pcre2_match_data> data_;
  Owned<pcre2_match_context> context_;
};

// find_matches(pattern, flags, text, start, how, most): the text before each match and its groups, each None or (start,
// end, text); at the end the text after the last one and None. how: "search", "match" or "fullmatch"; most: 0 is all,
// -1 the first one without the text around it.
Value find_matches(Interpreter&, CallArguments& arguments) {
  Search search(arguments);
  const Str* subject = arguments.positional.at(2).as<Str>();
  if (!subject)
    throw CellError(Code::Type, {},
                    fmt::format("expected string or bytes-like object, got '{}'", type_name(arguments.positional[2])));
  const std::string& text = subject->text;
  const std::string how = str(arguments.positional.at(4));
  const bool is_first_alone = whole_at(arguments, 5) < 0;
  const std::int64_t most = std::abs(whole_at(arguments, 5));
  std::uint32_t options = how == "search" ? 0 : how == "match" ? PCRE2_ANCHORED : PCRE2_ANCHORED | PCRE2_ENDANCHORED;
  if (subject->length() == text.size()) options |= PCRE2_NO_UTF_CHECK;  // ASCII
  const std::int64_t start = std::max<std::int64_t>(whole_at(arguments, 3), 0);
  const std::size_t first = std::min(static_cast<std::size_t>(start), subject->length());
  std::size_t at = subject->offset(first), done = 0;
  Characters characters(text, at, first);
  // At each place a match may look at all of the text: so many places are tried between two looks at an interrupt.
  const std::size_t begins = text.size() < kLong ? (std::size_t{1} << 22) / (text.size() + 1) : text.size();
  std::vector<Value> found;
  const auto piece = [&](std::size_t from, std::size_t to) { return make_str(text.substr(from, to - from)); };
  const auto around = [&](std::size_t from, std::size_t to) { return is_first_alone ? Value() : piece(from, to); };
  while (most == 0 || std::ssize(found) < most) {
    const std::size_t last = how == "search" ? characters.start_of(std::min(at + begins, text.size())) : text.size();
    const int result = search.run(text, at, last, options);
    if (result == PCRE2_ERROR_NOMATCH && last == text.size()) break;
    if (result == PCRE2_ERROR_NOMATCH) {  // it may begin further right
      charge(static_cast<std::int64_t>(last - at));
      at = last;
      options = (options & ~PCRE2_NOTEMPTY_ATSTART) | PCRE2_NO_UTF_CHECK;
      continue;
    }
    if (result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_CALLOUT) stop_charging();
    if (result == PCRE2_ERROR_NOMEMORY || result == PCRE2_ERROR_HEAPLIMIT)
      throw LimitReached(LimitReached::Kind::Memory, say("limit.memory"));
    if (result < 0) throw unsupported({}, "unsupported.re", {{"what", "this text"}});
    const PCRE2_SIZE* const bounds = search.bounds();
    charge(static_cast<std::int64_t>(bounds[1] - std::min(done, bounds[1]) + 1));
    std::vector<Value> groups;
    for (std::size_t i = 0; i < search.groups(); ++i) {
      const std::size_t from = bounds[2 * i], to = bounds[2 * i + 1];
      if (from == PCRE2_UNSET) groups.emplace_back();
      else
        groups.push_back(make_tuple({Value(characters.before(from)), Value(characters.before(to)), piece(from, to)}));
    }
    found.push_back(make_tuple({around(done, bounds[0]), make_tuple(std::move(groups))}));
    done = at = bounds[1];
    // After an empty match another one at this place has to be longer.
    options = (options & ~PCRE2_NOTEMPTY_ATSTART) | PCRE2_NO_UTF_CHECK;
    if (bounds[0] == bounds[1]) options |= PCRE2_NOTEMPTY_ATSTART;
  }
  found.push_back(make_tuple({around(done, text.size()), Value()}));
  return make_list(std::move(found));
}

constexpr NativeRow kPatternNatives[] = {{"pattern_groups", pattern_groups}, {"find_matches", find_matches}};

}  // namespace

std::span<const NativeRow> pattern_natives() { return kPatternNatives; }

}  // namespace attn
