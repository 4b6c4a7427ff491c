// attn-tutor ops: the table of ops and layers, or one row of it.
#include <algorithm>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/language_page.h"
#include "cli/output.h"
#include "render/callables.h"
#include "text/say.h"

namespace attn {
namespace {

int list_all(const std::vector<CallableRow>& all, const Request& request) {
  const RenderOptions options = render_options(request);
  std::size_t longest = 0;
  for (const CallableRow& row : all) longest = std::max(longest, row.spelling.size());
  const int name_width = std::min(static_cast<int>(longest), std::max(options.width / 2, 10));
  std::string text;
  for (const CallableRow& row : all) {
    text += pad_right(elide(row.spelling, name_width, options.ascii), name_width) + "  " +
            elide(row.doc, std::max(8, options.width - name_width - 2), options.ascii) + "\n";
  }
  page_out(text, request);
  return kFine;
}

int run_ops(const Request& request) {
  if (request.markdown) {
    write_out(language_page());
    return kFine;
  }
  const std::vector<CallableRow> all = callable_rows();
  if (request.word.empty()) return list_all(all, request);
  if (const std::string text = callable_details(request.word); !text.empty()) {
    page_out(text, request);
    return kFine;
  }
  std::vector<std::string> known;
  for (const CallableRow& row : all) {
    for (const std::string& spelling : words_in(row.spellings)) {
      known.push_back(spelling);
      known.push_back(last_name(spelling));
    }
  }
  const std::string near = nearest(request.word, known);
  throw UserError(say("ops.unknown", {{"name", request.word}}),
                  near.empty() ? say("ops.unknown.hint") : did_you_mean(near));
}

}  // namespace

const Command kOpsCommand = {"ops", "Lists the ops and layers that cells may use, or shows one with an example.",
                             kTakesName | kTakesView, run_ops, "attn-tutor ops matmul"};

}  // namespace attn
