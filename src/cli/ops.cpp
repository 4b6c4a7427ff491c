// attn-tutor ops: the table of ops and layers, or one row of it.
#include "cli/ops.h"

#include <algorithm>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/output.h"
#include "lang/layer.h"
#include "lang/op.h"
#include "text/say.h"

namespace attn {
namespace {

std::string last_part(const std::string& spelling) { return spelling.substr(spelling.rfind('.') + 1); }

// Whether somebody who types `word` may mean the row: "matmul", "F.softmax", "torch.nn.Linear", "x.view".
bool matches(const CallableRow& row, std::string word) {
  if (word.starts_with("F.")) word = "torch.nn.functional." + word.substr(2);
  if (word.starts_with("nn.")) word = "torch." + word;
  for (const std::string& spelling : words_in(row.spellings)) {
    if (spelling == word || last_part(spelling) == word) return true;
  }
  return false;
}

std::string page_of(const std::string& spelling) {
  return "https://pytorch.org/docs/1.13/generated/" + spelling + ".html";
}

std::string details(const CallableRow& row) {
  return say("ops.details",
             {{"name", row.spelling},
              {"signature", row.signature},
              {"doc", row.doc},
              {"spellings", join(words_in(row.spellings), ", ")},
              {"example", row.example},
              {"page", page_of(row.spelling.starts_with("Tensor.") ? "torch." + row.spelling : row.spelling)}});
}

int list_all(const std::vector<CallableRow>& all, const RenderOptions& options) {
  std::size_t longest = 0;
  for (const CallableRow& row : all) longest = std::max(longest, row.spelling.size());
  const int name_width = std::min(static_cast<int>(longest), std::max(options.width / 2, 10));
  std::string text;
  for (const CallableRow& row : all) {
    text += pad_right(elide(row.spelling, name_width, options.ascii), name_width) + "  " +
            elide(row.doc, std::max(8, options.width - name_width - 2), options.ascii) + "\n";
  }
  write_out(text);
  return kFine;
}

int run_ops(const Request& request) {
  if (request.markdown) {
    write_out(language_page());
    return kFine;
  }
  const std::vector<CallableRow> all = callable_rows();
  if (request.word.empty()) return list_all(all, render_options(request));
  std::string text;
  std::vector<std::string> known;
  for (const CallableRow& row : all) {
    if (matches(row, request.word)) text += (text.empty() ? "" : "\n") + details(row);
    for (const std::string& spelling : words_in(row.spellings)) {
      known.push_back(spelling);
      known.push_back(last_part(spelling));
    }
  }
  if (!text.empty()) {
    write_out(text);
    return kFine;
  }
  const std::string near = nearest(request.word, known);
  throw UserError(say("ops.unknown", {{"name", request.word}}),
                  near.empty() ? say("ops.unknown.hint") : did_you_mean(near));
}

}  // namespace

std::vector<CallableRow> callable_rows() {
  std::vector<CallableRow> out;
  for (const OpInfo* op : all_ops()) {
    const std::string spellings(op->spellings);
    if (spellings.starts_with("op.")) continue;  // written as x[...], not by name
    out.push_back({spellings.substr(0, spellings.find(' ')), spellings, std::string(op->signature),
                   std::string(op->doc), std::string(op->example)});
  }
  for (const LayerInfo& layer : all_layers()) {
    const std::string spelling = "torch.nn." + std::string(layer.name);
    out.push_back(
        {spelling, spelling, std::string(layer.signature), std::string(layer.doc), std::string(layer.example)});
  }
  return out;
}

const Command kOpsCommand = {"ops", "The ops and layers that cells may use, or one of them with its example.",
                             kTakesName | kTakesView, run_ops, "attn-tutor ops matmul"};

}  // namespace attn
