#include "stepper/keys.h"

#include <gtest/gtest.h>

#include <vector>

namespace attn {
namespace {

using Keys = std::vector<Key>;

Keys decoded(const std::vector<std::string>& parts) {
  KeyDecoder decoder;
  Keys keys;
  for (const std::string& part : parts) {
    decoder.feed(part);
    while (auto key = decoder.next()) keys.push_back(*key);
  }
  while (auto key = decoder.flush()) keys.push_back(*key);
  return keys;
}

Key text(const std::string& character) { return {KeyName::Text, character}; }
Key named(KeyName name) { return {name, ""}; }

struct KeyCase {
  std::vector<std::string> bytes;  // as they come
  Keys keys;
};

TEST(Keys, FromBytes) {
  const KeyCase cases[] = {
      {{"a:", "="}, {text("a"), text(":"), text("=")}},
      {{"\r\n\t\x7f\b"},
       Keys{named(KeyName::Enter), named(KeyName::Enter), named(KeyName::Tab), named(KeyName::Backspace),
            named(KeyName::Backspace)}},
      {{"\x04\x01"}, {{KeyName::Control, "d"}, {KeyName::Control, "a"}}},
      {{"한"}, {text("한")}},
      {{"\xed", "\x95", "\x9c"}, {text("한")}},  // one byte at a time
      {{"\x1b[A\x1bOB\x1b[1~\x1b[F\x1b[3~"},
       Keys{named(KeyName::Up), named(KeyName::Down), named(KeyName::Home), named(KeyName::End),
            named(KeyName::Delete)}},
      {{"\x1b", "[", "A"}, {named(KeyName::Up)}},
      {{"\x1b"}, {named(KeyName::Escape)}},
      {{"\x1b\x1b[A"}, {named(KeyName::Escape), named(KeyName::Up)}},
      {{"\x1b"
        "f"},
       {{KeyName::Alt, "f"}}},
      {{"\x1b["}, {{KeyName::Alt, "["}}},
      {{"\x1b]0;title\ax"}, {text("x")}},
      {{"\x1bP1$r", "0m\x1b\\x"}, {text("x")}},
      {{"\x1b]"}, {{KeyName::Alt, "]"}}},
      {{"\x1b[1;5Cx"}, {text("x")}},       // no key of ours
      {{"\x1b[<0;10;10Mx"}, {text("x")}},  // of a mouse
      {{std::string("a\0b", 3)}, {text("a"), text("b")}},
      {{"\xff"
        "a"},
       {text("\uFFFD"), text("a")}},
      {{"\xed\x95"}, {text("\uFFFD")}},
      {{"\x1b[200~a\rb\r\nc\td\x1b[201~e"}, {{KeyName::Paste, "a\nb\nc    d"}, text("e")}},
      {{"\x1b[200~one ", "two\x1b[20", "1~"}, {{KeyName::Paste, "one two"}}},
      {{"\x1b[200~a\x1b[31mb\x07\x1b[201~"}, {{KeyName::Paste, "a[31mb"}}},
  };
  for (const KeyCase& c : cases) EXPECT_EQ(decoded(c.bytes), c.keys) << testing::PrintToString(c.bytes);
}

TEST(Keys, APasteIsBounded) {
  const Keys keys = decoded({"\x1b[200~" + std::string(1 << 20, 'x') + "\x1b[201~q"});
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys[0].name, KeyName::Paste);
  EXPECT_EQ(keys[0].text.size(), std::size_t{64} << 10);
  EXPECT_EQ(keys[1], text("q"));
}

TEST(Keys, WaitsOnlyForWhatMayBeLonger) {
  KeyDecoder decoder;
  decoder.feed("\x1b");
  EXPECT_EQ(decoder.next(), std::nullopt);
  EXPECT_TRUE(decoder.is_waiting());
  decoder.feed("[A");
  EXPECT_EQ(decoder.next(), named(KeyName::Up));
  EXPECT_FALSE(decoder.is_waiting());
  decoder.feed("\x1b[200~never ended");
  EXPECT_EQ(decoder.next(), std::nullopt);
  EXPECT_FALSE(decoder.is_waiting()) << "a paste may take its time";
}

}  // namespace
}  // namespace attn
