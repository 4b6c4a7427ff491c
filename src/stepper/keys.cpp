#include "stepper/keys.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace attn {
namespace {

constexpr std::string_view kPasteEnds = "\x1b[201~";

// What follows ESC.
struct Sequence {
  std::string_view bytes;
  KeyName name;
};
constexpr Sequence kSequences[] = {
    {"[A", KeyName::Up},      {"[B", KeyName::Down},     {"[C", KeyName::Right},     {"[D", KeyName::Left},
    {"OA", KeyName::Up},      {"OB", KeyName::Down},     {"OC", KeyName::Right},     {"OD", KeyName::Left},
    {"[H", KeyName::Home},    {"[F", KeyName::End},      {"OH", KeyName::Home},      {"OF", KeyName::End},
    {"[1~", KeyName::Home},   {"[4~", KeyName::End},     {"[7~", KeyName::Home},     {"[8~", KeyName::End},
    {"[3~", KeyName::Delete}, {"[5~", KeyName::PageUp},  {"[6~", KeyName::PageDown}, {"[Z", KeyName::BackTab},
    {"OM", KeyName::Enter},   {"[200~", KeyName::Paste},
};

// A control sequence is ESC [ , parameters, one final byte. 0 while it is not complete.
std::size_t control_sequence_size(std::string_view bytes) {
  for (std::size_t i = 2; i < bytes.size(); ++i) {
    const unsigned char byte = static_cast<unsigned char>(bytes[i]);
    if (byte >= 0x40 && byte <= 0x7e) return i + 1;
    if (byte < 0x20 || byte > 0x7e) return i;  // broken off by something else
  }
  return 0;
}

// ESC ] and its like begin a text for or from the terminal, which BEL or ESC \ ends. 0 while it is not complete.
constexpr std::string_view kStringKinds = "]P^_X";

std::size_t control_string_size(std::string_view bytes) {
  const std::size_t bell = bytes.find('\a'), end = bytes.find("\x1b\\", 2);
  if (bell < end) return bell + 1;
  return end == std::string_view::npos ? 0 : end + 2;
}

// The bytes that the first character wants; an ill-formed beginning is as long as it is.
bool is_whole_character(std::string_view bytes) {
  const unsigned char lead = static_cast<unsigned char>(bytes[0]);
  const std::size_t wanted = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  for (std::size_t i = 1; i < std::min(wanted, bytes.size()); ++i) {
    if ((static_cast<unsigned char>(bytes[i]) & 0xC0) != 0x80) return true;
  }
  return bytes.size() >= wanted;
}

// Lines end as in files, whatever the terminal sends; control characters are left out.
std::string plain(std::string_view pasted) {
  std::string text;
  for (std::size_t i = 0; i < pasted.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(pasted[i]);
    if (c == '\r' || c == '\n') {
      if (c == '\r' && i + 1 < pasted.size() && pasted[i + 1] == '\n') ++i;
      text += '\n';
    } else if (c == '\t') {
      text += "    ";
    } else if (c >= 0x20 && c != 0x7f) {
      text += pasted[i];
    }
  }
  return valid_utf8(text);
}

Key character(std::string_view bytes) { return {KeyName::Text, valid_utf8(bytes)}; }

}  // namespace

std::optional<Key> KeyDecoder::take(std::size_t bytes, Key key) {
  drop(bytes);
  return key;
}

std::optional<Key> KeyDecoder::next() {
  do {
    again_ = false;
    if (pasting_) return paste();
    if (bytes_.empty()) return std::nullopt;
    const unsigned char first = static_cast<unsigned char>(bytes_[0]);
    if (first == 0x1b) {
      if (auto key = escape_sequence(); key || !again_) return key;
      continue;
    }
    if (first == '\r' || first == '\n') return take(1, {KeyName::Enter, ""});
    if (first == '\t') return take(1, {KeyName::Tab, ""});
    if (first == 0x7f || first == 0x08) return take(1, {KeyName::Backspace, ""});
    if (first == 0) {
      drop(1);
      again_ = true;
      continue;
    }
    if (first < 0x20) return take(1, {KeyName::Control, std::string(1, static_cast<char>(first + 0x60))});
    if (!is_whole_character(bytes_)) return std::nullopt;
    const std::size_t size = decode(bytes_).size;
    Key key = character(std::string_view(bytes_).substr(0, size));
    return take(size, std::move(key));
  } while (again_);
  return std::nullopt;
}

std::optional<Key> KeyDecoder::escape_sequence() {
  if (bytes_.size() < 2) return std::nullopt;
  const char kind = bytes_[1];
  if (kind == 0x1b) return take(1, {KeyName::Escape, ""});
  if (kStringKinds.find(kind) != std::string_view::npos) {
    const std::size_t length = control_string_size(bytes_);
    again_ = length > 0;
    if (length > 0 || bytes_.size() > kLongestPaste) drop(length > 0 ? length : bytes_.size());
    return std::nullopt;
  }
  if (kind != '[' && kind != 'O') {
    const std::string_view rest = std::string_view(bytes_).substr(1);
    if (static_cast<unsigned char>(kind) < 0x20) return take(1, {KeyName::Escape, ""});
    if (!is_whole_character(rest)) return std::nullopt;
    const std::size_t size = decode(rest).size;
    Key key = {KeyName::Alt, valid_utf8(rest.substr(0, size))};
    return take(1 + size, std::move(key));
  }
  const std::size_t size = kind == '[' ? control_sequence_size(bytes_) : bytes_.size() < 3 ? 0 : 3;
  if (size == 0) {
    if (bytes_.size() > 64) bytes_.clear();  // no terminal sends that
    return std::nullopt;
  }
  const std::string_view bytes = std::string_view(bytes_).substr(1, size - 1);
  const auto* row =
      std::find_if(std::begin(kSequences), std::end(kSequences), [&](const Sequence& s) { return s.bytes == bytes; });
  if (row == std::end(kSequences)) {
    drop(size);
    again_ = true;
    return std::nullopt;
  }
  const KeyName name = row->name;
  drop(size);
  if (name != KeyName::Paste) return Key{name, ""};
  pasting_ = true;
  pasted_.clear();
  return paste();
}

std::optional<Key> KeyDecoder::paste() {
  const std::size_t end = bytes_.find(kPasteEnds);
  // The mark of the end may be half here.
  const std::size_t sure = end != std::string::npos ? end : bytes_.size() - std::min(bytes_.size(), kPasteEnds.size());
  pasted_ += bytes_.substr(0, std::min(sure, kLongestPaste - std::min(kLongestPaste, pasted_.size())));
  drop(sure);
  if (end == std::string::npos) return std::nullopt;
  drop(kPasteEnds.size());
  pasting_ = false;
  std::string text = plain(pasted_);
  pasted_.clear();
  return Key{KeyName::Paste, std::move(text)};
}

std::optional<Key> KeyDecoder::flush() {
  if (!is_waiting()) return std::nullopt;
  if (bytes_ == "\x1b") return take(1, {KeyName::Escape, ""});
  if (bytes_.size() == 2 && bytes_[0] == 0x1b) {
    Key key = {KeyName::Alt, bytes_.substr(1)};
    return take(2, std::move(key));
  }
  if (bytes_[0] == 0x1b) {
    bytes_.clear();
    return std::nullopt;
  }
  const std::size_t size = decode(bytes_).size;
  Key key = character(std::string_view(bytes_).substr(0, size));
  return take(size, std::move(key));
}

}  // namespace attn
