#pragma once
// How a view is to look. All of them honour all three.

namespace attn {

struct RenderOptions {
  int width = 80;      // cells; no line is wider
  bool color = false;  // only adds: without its colours the text is the same
  bool ascii = false;  // no byte over 0x7f but in text that came from a file
};

}  // namespace attn
