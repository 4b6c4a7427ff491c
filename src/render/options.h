#pragma once
// How a view is to look. All of them honor width, color and characters.

namespace attn {

struct RenderOptions {
  int width = 80;           // cells; no line is wider
  bool color = false;       // only adds: without its colors the text is the same
  bool ascii = false;       // no byte over 0x7f but in text that came from a file
  bool linear = false;      // for a screen reader: sentences instead of a drawing
  bool outputs = true;      // of notebooks: those that the cells will have
  bool every_call = false;  // of the whole view: the body of a function at every call, not only where it is new
};

}  // namespace attn
