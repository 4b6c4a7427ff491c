#include "render/callables.h"

#include "base/text.h"
#include "base/words.h"
#include "text/say.h"
#include "torch/nn/layer.h"
#include "torch/op.h"

namespace attn {
namespace {

// Whether somebody who types `word` may mean the row: "matmul", "F.softmax", "torch.nn.Linear", "x.view".
bool matches(const CallableRow& row, std::string word) {
  if (word.starts_with("F.")) word = "torch.nn.functional." + word.substr(2);
  if (word.starts_with("nn.")) word = "torch." + word;
  for (const std::string& spelling : words_in(row.spellings)) {
    if (spelling == word || last_name(spelling) == word) return true;
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

}  // namespace

std::string last_name(const std::string& spelling) { return spelling.substr(spelling.rfind('.') + 1); }

std::string callable_details(const std::string& name) {
  std::string text;
  for (const CallableRow& row : callable_rows()) {
    if (matches(row, name)) text += (text.empty() ? "" : "\n") + details(row);
  }
  return text;
}

std::vector<CallableRow> callable_rows() {
  std::vector<CallableRow> out;
  for (const OpInfo* op : all_ops()) {
    const std::string spellings(op->spellings);
    if (spellings.starts_with("op.")) continue;  // written as x[...], not by name
    out.push_back({std::string(first_word(spellings)), spellings, std::string(op->signature), std::string(op->doc),
                   std::string(op->example)});
  }
  for (const LayerInfo& layer : all_layers()) {
    const std::string spelling = "torch.nn." + std::string(layer.name);
    out.push_back(
        {spelling, spelling, std::string(layer.signature), std::string(layer.doc), std::string(layer.example)});
  }
  return out;
}

}  // namespace attn
