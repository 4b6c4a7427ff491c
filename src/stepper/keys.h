#pragma once
// Keys from the bytes that a terminal sends: characters, the keys with names, escape sequences, pasted text.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

enum class KeyName : std::uint8_t {
  Text,  // a character: `text` holds it
  Enter,
  Tab,
  BackTab,
  Backspace,
  Delete,
  Escape,
  Up,
  Down,
  Left,
  Right,
  Home,
  End,
  PageUp,
  PageDown,
  Control,  // with a letter: `text` holds it, "c"
  Alt,      // with a character
  Paste     // `text` is what was pasted
};

struct Key {
  KeyName name = KeyName::Text;
  std::string text;
  bool operator==(const Key&) const = default;
};

/// Bytes go in as they come, keys come out as soon as they are whole.
class KeyDecoder {
 public:
  void feed(std::string_view bytes) { bytes_ += bytes; }
  /// The next whole key, or nothing while more bytes are needed.
  std::optional<Key> next();
  /// Whether there are bytes that could be the beginning of a longer key.
  bool is_waiting() const { return !bytes_.empty() && !pasting_; }
  /// No more bytes came in time: what waits is a key by itself, such as Escape.
  std::optional<Key> flush();

 private:
  static constexpr std::size_t kLongestPaste = std::size_t{64} << 10;  // more of one is dropped

  std::optional<Key> take(std::size_t bytes, Key key);
  std::optional<Key> escape_sequence();
  std::optional<Key> paste();
  void drop(std::size_t bytes) { bytes_.erase(0, bytes); }

  std::string bytes_;
  std::string pasted_;
  bool pasting_ = false;
  bool again_ = false;  // something was passed over: look again
};

}  // namespace attn
