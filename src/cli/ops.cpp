// attn-tutor ops: the table of ops and layers, or one row of it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "lang/layer.h"
#include "lang/op.h"

namespace attn {
namespace {

struct Row {
  std::string spelling;   // "torch.matmul"
  std::string spellings;  // all of them
  std::string signature;
  std::string doc;
  std::string example;
};

std::vector<Row> rows() {
  std::vector<Row> out;
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

std::string last_part(const std::string& spelling) { return spelling.substr(spelling.rfind('.') + 1); }

std::vector<std::string> spellings_of(const Row& row) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < row.spellings.size();) {
    const std::size_t end = std::min(row.spellings.find(' ', at), row.spellings.size());
    out.push_back(row.spellings.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// Whether somebody who types `word` may mean the row: "matmul", "F.softmax", "torch.nn.Linear", "x.view".
bool matches(const Row& row, std::string word) {
  if (word.starts_with("F.")) word = "torch.nn.functional." + word.substr(2);
  if (word.starts_with("nn.")) word = "torch." + word;
  for (const std::string& spelling : spellings_of(row)) {
    if (spelling == word || last_part(spelling) == word) return true;
  }
  return false;
}

std::string page_of(const std::string& spelling) {
  return "https://pytorch.org/docs/1.13/generated/" + spelling + ".html";
}

std::string details(const Row& row) {
  std::string also = join(spellings_of(row), ", ");
  return fmt::format("{}{}\n  {}\n  written as  {}\n  example     {}\n  PyTorch     {}\n", row.spelling, row.signature,
                     row.doc, also, row.example,
                     page_of(row.spelling.starts_with("Tensor.") ? "torch." + row.spelling : row.spelling));
}

int list_all(const std::vector<Row>& all, const RenderOptions& options) {
  std::size_t longest = 0;
  for (const Row& row : all) longest = std::max(longest, row.spelling.size());
  const int name_width = std::min(static_cast<int>(longest), std::max(options.width / 2, 10));
  std::string text;
  for (const Row& row : all) {
    text += pad_right(elide(row.spelling, name_width, options.ascii), name_width) + "  " +
            elide(row.doc, std::max(8, options.width - name_width - 2), options.ascii) + "\n";
  }
  write_out(text);
  return kFine;
}

int run(const Request& request) {
  const std::vector<Row> all = rows();
  if (request.word.empty()) return list_all(all, render_options(request));
  std::string text;
  std::vector<std::string> known;
  for (const Row& row : all) {
    if (matches(row, request.word)) text += (text.empty() ? "" : "\n") + details(row);
    for (const std::string& spelling : spellings_of(row)) {
      known.push_back(spelling);
      known.push_back(last_part(spelling));
    }
  }
  if (!text.empty()) {
    write_out(text);
    return kFine;
  }
  const std::string near = nearest(request.word, known);
  report(fmt::format("no op is called {}", request.word),
         near.empty() ? "`attn-tutor ops` lists them all" : "did you mean " + near + "?");
  return kUsage;
}

}  // namespace

const Command kOpsCommand = {"ops", "The ops and layers that cells may use, or one of them with its example.",
                             kTakesName | kTakesView, run, "attn-tutor ops matmul"};

}  // namespace attn
