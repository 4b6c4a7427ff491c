#include "python/modules/unsupported_names.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/embedded.h"
#include "base/words.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::string_view kNoGradients = "unsupported.name.gradients";

// A name that is known is found before anybody asks here.
constexpr UnsupportedNames kUnsupportedNames[] = {
    {"math.", "nextafter ulp exp2", "unsupported.name.math"},
    {"dataclasses.", "make_dataclass KW_ONLY", "unsupported.name.dataclasses"},
    {"builtins.", "input eval exec compile __import__ breakpoint help", "unsupported.name.outside"},
    {"builtins.", "bytearray memoryview complex", "unsupported.name.builtins"},
    {"torch.", "complex32 qint8 quint8 qint32", "unsupported.name.floats"},
    {"torch.autograd.", "backward profiler graph forward_ad gradgradcheck", kNoGradients},
    {"Tensor.", "cuda", "unsupported.name.cuda"},
    {"torch.utils.data.", "ChainDataset", "unsupported.name.batches"},
    {"import.", "glob urllib requests subprocess gzip zipfile", "unsupported.name.system"},
    {"import.", "transformers", "unsupported.name.transformers"},
    {"import.",
     "torchvision torchtext torchaudio tokenizers tiktoken sentencepiece datasets pandas sklearn scipy "
     "nltk spacy plotly PIL cv2 ipywidgets tensorboard wandb",
     "unsupported.name.library"},
};

const UnsupportedNames* unsupported_row(std::string_view path) {
  const std::size_t dot = path.rfind('.') + 1;
  const std::string_view owner = dot ? path.substr(0, dot) : "import.";
  const auto* const row =
      std::find_if(std::begin(kUnsupportedNames), std::end(kUnsupportedNames), [&](const UnsupportedNames& known) {
        return has_word(known.owners, owner) && has_word(known.names, path.substr(dot));
      });
  return row == std::end(kUnsupportedNames) ? nullptr : row;
}

// "abs add ..." of the line "Tensor: abs add ...".
std::string_view names_of(std::string_view owner) {
  std::string_view rest = embedded_file("data/names.txt");
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (line.starts_with(owner) && line.substr(owner.size()).starts_with(": ")) return line.substr(owner.size() + 2);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return {};
}

}  // namespace

std::span<const UnsupportedNames> unsupported_names() { return kUnsupportedNames; }

bool has_listed_names(std::string_view owner) { return !names_of(owner).empty(); }

bool is_name_of(std::string_view owner, std::string_view name) {
  return has_word(names_of(owner), name) || unsupported_row(std::string(owner) + "." + std::string(name));
}

std::vector<std::string> public_names(const std::string& module) {
  const std::string_view hidden = names_of("hidden." + module);
  std::vector<std::string> names = words_in(names_of(module));
  std::erase_if(names, [&](const std::string& name) { return has_word(hidden, name); });
  return names;
}

bool is_standard_module(std::string_view top) { return has_word(names_of("import"), top); }

bool is_installed_module(std::string_view top) { return !is_standard_module(top) && unsupported_row(top); }

void refuse_keyword(std::string_view function, std::string_view keyword, Span span) {
  if (!has_word(names_of("keywords"), keyword)) return;
  throw CellError(
      Code::Unsupported, span,
      say("unsupported.parameter", {{"function", std::string(function)}, {"keyword", std::string(keyword)}}),
      say("unsupported.name.language"));
}

void refuse_name(const std::string& path, Span span) {
  constexpr std::string_view kPrefix = "builtins.";
  const std::string shown = path.starts_with(kPrefix) ? path.substr(kPrefix.size()) : path;
  const bool is_function = shown != path && !(shown[0] >= 'A' && shown[0] <= 'Z');
  const std::string message = say("unsupported.name", {{"name", shown + (is_function ? "()" : "")}});
  for (std::size_t end = path.size(); end != std::string::npos;
       end = end ? path.rfind('.', end - 1) : std::string::npos)
    if (const UnsupportedNames* found = unsupported_row(std::string_view(path).substr(0, end)))
      throw CellError(Code::Unsupported, span, message, say(found->hint));
  const bool is_op = path.starts_with("torch.") || path.starts_with("Tensor.") || path.starts_with("Module.");
  throw CellError(Code::Unsupported, span, message, say(is_op ? "unsupported.name.ops" : "unsupported.name.language"));
}

}  // namespace attn
