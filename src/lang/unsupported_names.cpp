#include "lang/unsupported_names.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/embedded.h"
#include "base/words.h"

namespace attn {
namespace {

constexpr std::string_view kFloatTypes = "floats are torch.float32 or torch.float64 here";
constexpr std::string_view kNoGradients = "gradients are not computed here; the numbers of the forward pass are";
constexpr std::string_view kOps = "`attn-tutor ops` lists what is known here";
constexpr std::string_view kLanguage =
    "`attn-tutor help language` tells what of Python and its libraries is known here";

// A name that is known is found before anybody asks here.
constexpr UnsupportedNames kUnsupportedNames[] = {
    {"math.", "nextafter ulp exp2", "the other functions of math are known"},
    {"dataclasses.", "asdict astuple replace fields make_dataclass KW_ONLY", "dataclass and field are known"},
    {"builtins.", "open input eval exec compile __import__ breakpoint globals locals exit quit help",
     "a cell reaches no files, no keyboard and no other program; write the value itself"},
    {"builtins.", "bytes bytearray memoryview complex frozenset", "str, float and set are known here"},
    {"torch.", "complex32 complex64 complex128 cfloat cdouble qint8 quint8 qint32", kFloatTypes},
    {"torch.nn.", "Transformer TransformerDecoder TransformerDecoderLayer",
     "nn.TransformerEncoderLayer and nn.MultiheadAttention are known; a decoder is written with them"},
    {"torch.nn.", "utils",
     "gradients are not computed here, so there is nothing to clip; sequences are padded and masked, not packed"},
    {"torch.autograd.", "grad backward Function functional profiler gradcheck detect_anomaly set_detect_anomaly",
     kNoGradients},
    {"torch.", "optim", kNoGradients},
    {"Tensor.", "backward register_hook retain_grad", kNoGradients},
    {"Tensor.", "cuda", "everything runs on the processor here"},
    {"torch.utils.data.", "DataLoader TensorDataset random_split Subset SequentialSampler RandomSampler",
     "batches are tensors here: slice them, or stack() what belongs together"},
    {"torch.", "load save",
     "it reads and writes pickles, and reading a pickle may run code; load_file() of safetensors.torch reads weights"},
    {"import.", "os pathlib shutil glob urllib requests subprocess pickle io gzip zipfile",
     "a cell may not see files, processes or the network here; write the data as a literal"},
    {"import.",
     "torchvision torchtext torchaudio transformers tokenizers tiktoken sentencepiece datasets pandas sklearn scipy "
     "nltk spacy einops plotly PIL cv2 IPython ipywidgets tensorboard wandb",
     "this library is not known here; what it gives can be written as a literal"},
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

bool is_standard_module(std::string_view top) { return has_word(names_of("import"), top); }

bool is_installed_module(std::string_view top) { return !is_standard_module(top) && unsupported_row(top); }

void refuse_name(const std::string& path, Span span) {
  constexpr std::string_view kPrefix = "builtins.";
  const std::string shown = path.starts_with(kPrefix) ? path.substr(kPrefix.size()) : path;
  const bool is_function = shown != path && !(shown[0] >= 'A' && shown[0] <= 'Z');
  const std::string message = shown + (is_function ? "()" : "") + " is not known here";
  for (std::size_t end = path.size(); end != std::string::npos;
       end = end ? path.rfind('.', end - 1) : std::string::npos)
    if (const UnsupportedNames* found = unsupported_row(std::string_view(path).substr(0, end)))
      throw CellError(Code::Unsupported, span, message, std::string(found->hint));
  const bool is_op = path.starts_with("torch.") || path.starts_with("Tensor.") || path.starts_with("Module.");
  throw CellError(Code::Unsupported, span, message, std::string(is_op ? kOps : kLanguage));
}

}  // namespace attn
