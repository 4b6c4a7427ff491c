#include "syntax/axis_comment.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

/// "K: [a, b * 2]", "[...]", "axis a: b"; "prose" for none.
std::string read(std::string_view text) {
  const auto comment = parse_axis_comment(text, {0, 10, 10 + static_cast<std::uint32_t>(text.size())});
  if (!comment) return "prose";
  if (!comment->axis.empty())
    return "axis " + comment->by + (comment->by.empty() ? "" : ", ") + comment->axis + ": " + comment->words;
  std::string out = comment->name.empty() ? "" : comment->name + ": ";
  out += comment->in_parentheses ? '(' : '[';
  for (const AxisItem& item : comment->items) {
    if (&item != &comment->items.front()) out += ", ";
    out += axis_text(item);
  }
  return out + (comment->in_parentheses ? ')' : ']');
}

struct CommentCase {
  std::string text, expected;
};

TEST(AxisComment, Recognised) {
  const CommentCase cases[] = {
      {" [batch_size, query_len, hidden_dim]", "[batch_size, query_len, hidden_dim]"},
      {" (B, T, C) ", "(B, T, C)"},
      {"[3,5, 8]", "[3, 5, 8]"},
      {" K: [batch_size, key_len]", "K: [batch_size, key_len]"},
      {"energy = [batch size, n heads, query len, key len]", "energy: [batch_size, n_heads, query_len, key_len]"},
      {"x:(4, 6)", "x: (4, 6)"},
      {" Shape: (rows, n_heads * head_dim)", "(rows, n_heads * head_dim)"},
      {"shape (3, 4)", "(3, 4)"},
      {"output shape: [b, t]", "[b, t]"},
      {"Shape: K = [b, t]", "K: [b, t]"},
      {"[batch size * n heads, 2*4]", "[batch_size * n_heads, 2 * 4]"},
      {"[b,\tt]", "[b, t]"},
      {"(n,)", "(n)"},
      {"(a)", "(a)"},
      {"[]", "[]"},
      {"loss: []", "loss: []"},
      {"[src sent len, 1]", "[src_sent_len, 1]"},
      {"질의: [문장, 낱말]", "질의: [문장, 낱말]"},
      {" Shape: (b, num_tokens, d_out)", "(b, num_tokens, d_out)"},
      {"Q = [batch size, n heads, query len, head dim]", "Q: [batch_size, n_heads, query_len, head_dim]"},
      {" torch.Size([2, 3])", "[2, 3]"},
      {"torch.Size( [2, 3, ] )", "[2, 3]"},
      {"torch.Size([])", "[]"},
      {"x: torch.Size([2, n])", "x: [2, n]"},
      {"Shape: torch.Size([2, 3])", "[2, 3]"},
      {" x: (batch, seq, dim)", "x: (batch, seq, dim)"},
      {"x.shape: (batch, seq)", "x: (batch, seq)"},
      {"x.shape = torch.Size([2, 3])", "x: [2, 3]"},
      {" -> (B, T, C)", "(B, T, C)"},
      {"--> [B, T]", "[B, T]"},
      {"=> (B, T)", "(B, T)"},
      {"\u2192 (B, T)", "(B, T)"},
      {"-> y: (B, T)", "y: (B, T)"},
      {"-> shape (B, T)", "(B, T)"},
      {"-> torch.Size([4, 5])", "[4, 5]"},
      {" [B, T, C]", "[B, T, C]"},
      {" (B,T,C)", "(B, T, C)"},
      {" shape (B, nh, T, hs)", "(B, nh, T, hs)"},
      {" (B, nh, T, hs) x (B, nh, hs, T) -> (B, nh, T, T)", "(B, nh, T, T)"},
      {"(B, T, hs) @ (B, hs, T) -> (B, T, T)", "(B, T, T)"},
      {"(B, T) + (T,) -> [B, T]", "[B, T]"},
      {"(B, T, C) -> (B, T, nh, hs) -> (B, nh, T, hs)", "(B, nh, T, hs)"},
      {"Shape: (B, T) -> (B, T, C)", "(B, T, C)"},
      {" axis query_len: words", "axis query_len: words"},
      {"axis key_len : w2 ", "axis key_len: w2"},
      {"axis batch_size, key_len: rows", "axis batch_size, key_len: rows"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(read(text), expected) << text;
}

TEST(AxisComment, Prose) {
  for (const char* text : {"",
                           " ",
                           "softmax over the keys",
                           "[batch_size, query_len",
                           "batch_size, query_len]",
                           "[a, b)",
                           "()",
                           "[a, , b]",
                           "[,]",
                           "[a b c d, e]",
                           "(like the one above, but transposed)",
                           "[a, b] and more",
                           "see [a, b]",
                           "K, V: [a, b]",
                           "self.mask: [a, b]",
                           "the shape: [a, b]",
                           "[a + b, c]",
                           "[-1, 2]",
                           "[1.5]",
                           "[8 numbers, c]",
                           "[a[0], b]",
                           "[a, 99999999999999999999]",
                           "[a *, b]",
                           "axis: words",
                           "axis a b: c",
                           "axis a, b, c: d",
                           "axis a, : c",
                           "axis a: b c",
                           "axis a: b: c",
                           "axisa: b",
                           "x.view(3, 4)",
                           "f(a, b)",
                           "K: L: [a, b]",
                           "[a-b, c]",
                           "(B, T/2, C)",
                           "(B, *, C)",
                           "(B, ..., C)",
                           "(B, T//2)",
                           "(B, T/2) -> (B, T)",
                           "(B, T) -> (B, T/2)",
                           "(B, T) -> ",
                           "-> softmax",
                           "x: (B, T) -> (B, T, C)",
                           "softmax -> (B, T)",
                           "f(a, b) -> (a, b)",
                           "(B, T) (T, C) -> (B, C)",
                           "(B, T) and so (T, C) -> (B, C)",
                           "(B, T -> (B, C)",
                           "(B, T) x -> (B, C)",
                           "(B, T) x (T, C)",
                           "(B, T) -> (B, C) by a mean",
                           "self.mask.shape: (a, b)",
                           ".shape: (a, b)",
                           "torch.Size(2, 3)",
                           "torch.Size([2, 3]",
                           "torch.Size([2, 3]]",
                           "torch.Size([2, 3)",
                           "mytorch.Size([2, 3])",
                           "torch.Size"}) {
    EXPECT_EQ(read(text), "prose") << text;
  }
}

TEST(AxisComment, SpanIsThatOfTheTextWithoutBlanks) {
  const auto comment = parse_axis_comment("  [a, b] ", {2, 10, 19});
  ASSERT_TRUE(comment);
  EXPECT_EQ(comment->span, (Span{2, 12, 18}));
}

}  // namespace
}  // namespace attn
