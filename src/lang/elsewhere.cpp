#include "lang/elsewhere.h"

#include "base/diagnostic.h"
#include "base/words.h"

namespace attn {
namespace {

constexpr std::string_view kFloatTypes = "floats are torch.float32 or torch.float64 here";
constexpr std::string_view kOps = "`attn-tutor ops` lists what is known here";

// A name that has a row in the table of ops or layers is found before anybody asks here.
constexpr Elsewhere kElsewhere[] = {
    {"math.", "lcm fsum dist modf frexp ldexp nextafter ulp remainder exp2", "the other functions of math are known"},
    {"dataclasses.", "asdict astuple replace fields make_dataclass KW_ONLY", "dataclass and field are known"},
    {"builtins.", "open input eval exec compile __import__ breakpoint globals locals exit quit help",
     "a cell reaches no files, no keyboard and no other program; write the value itself"},
    {"builtins.", "bytes bytearray memoryview complex frozenset", "str, float and set are known here"},
    {"torch.", "complex32 complex64 complex128 cfloat cdouble qint8 quint8 qint32", kFloatTypes},
    {"torch.nn.", "Transformer TransformerDecoder TransformerDecoderLayer",
     "nn.TransformerEncoderLayer and nn.MultiheadAttention are known; a decoder is written with them"},
    {"torch.nn.", "utils",
     "gradients are not computed here, so there is nothing to clip; sequences are padded and masked, not packed"},
    {"torch.nn.",
     "GroupNorm InstanceNorm1d InstanceNorm2d Conv3d ConvTranspose1d ConvTranspose2d ParameterDict EmbeddingBag "
     "Bilinear MaxPool1d MaxPool2d AvgPool1d AvgPool2d AdaptiveAvgPool1d AdaptiveAvgPool2d Upsample Dropout1d "
     "Dropout2d "
     "PReLU Mish Hardtanh ReLU6 SELU CELU LogSigmoid Softmin BCELoss BCEWithLogitsLoss KLDivLoss SmoothL1Loss "
     "HuberLoss CosineSimilarity Unfold Fold DataParallel",
     "`attn-tutor ops` lists the layers there are"},
    {"torch.nn.functional.",
     "fold interpolate gumbel_softmax multi_head_attention_forward celu prelu rrelu threshold "
     "hardswish hardsigmoid hardshrink softshrink ctc_loss triplet_margin_loss margin_ranking_loss "
     "cosine_embedding_loss",
     kOps},
    {"torch. Tensor.",
     "cdist mode histc rot90 cross det inverse svd qr kron quantile nanquantile nanmean nansum nanmedian "
     "searchsorted bucketize float_power cummax cummin logcumsumexp isin heaviside vdot matrix_power cov corrcoef "
     "unique_consecutive logit erfc erfinv lgamma digamma hypot asinh acosh atanh copysign deg2rad rad2deg "
     "masked_scatter scatter_reduce renorm swapdims_ unsqueeze_ squeeze_ t_ transpose_",
     kOps},
    {"torch.",
     "cartesian_prod combinations empty_strided atleast_1d atleast_2d atleast_3d block_diag vmap fft "
     "poisson chain_matmul trapezoid trapz",
     kOps},
    {"torch.linalg.",
     "inv det svd eig eigh qr solve matrix_norm matrix_rank multi_dot cross pinv cholesky lstsq slogdet", kOps},
    {"torch.autograd.", "grad backward Function functional profiler gradcheck detect_anomaly set_detect_anomaly",
     "gradients are not computed here; the numbers of the forward pass are"},
    {"torch.", "optim", "gradients are not computed here; the numbers of the forward pass are"},
    {"Tensor.", "backward register_hook retain_grad",
     "gradients are not computed here; the numbers of the forward pass are"},
    {"Tensor.", "cuda", "everything runs on the processor here"},
    {"torch.nn.utils.", "rnn clip_grad clip_grad_norm_ clip_grad_value_",
     "sequences are padded and masked here, not packed"},
    {"torch.optim.", "lr_scheduler", "gradients are not computed here; the numbers of the forward pass are"},
    {"os. os.path. pathlib. shutil. glob. urllib. requests. subprocess. pickle. io. gzip. zipfile.",
     "listdir environ getcwd path makedirs mkdir remove system getenv walk open Path exists join isfile isdir glob "
     "request urlopen urlretrieve get run load dump",
     "a cell may not see files, processes or the network here; write the data as a literal"},
    {"torch.utils.data.", "DataLoader TensorDataset random_split Subset SequentialSampler RandomSampler",
     "batches are tensors here: slice them, or stack() what belongs together"},
    {"torchvision torchtext torchaudio transformers tiktoken datasets pandas sklearn scipy nltk spacy", "",
     "this library is not known here; what it gives can be written as a literal"},
    {"torch.", "load save",
     "it reads and writes pickles, and reading a pickle may run code; load_file() of safetensors.torch reads weights"},
    {"torch.", "distributed jit compile hub onnx", kOps},
    {"Tensor.",
     "storage data_ptr untyped_storage apply_ map_ cauchy_ geometric_ log_normal_ masked_scatter_ put_ new "
     "resize_ "
     "set_",
     kOps},
};

}  // namespace

std::span<const Elsewhere> refused_names() { return kElsewhere; }

void refuse_elsewhere(const std::string& path, Span span) {
  const std::size_t dot = path.rfind('.') + 1;
  const std::string_view prefix = std::string_view(path).substr(0, dot), name = std::string_view(path).substr(dot);
  if (name.empty()) return;
  for (const Elsewhere& row : kElsewhere) {
    if (!has_word(row.prefixes, prefix) || !has_word(row.names, name)) continue;
    const std::string shown = prefix == "builtins." ? std::string(name) + "()" : path;
    throw CellError(Code::Unsupported, span, shown + " is not known here", std::string(row.hint));
  }
}

void refuse_unknown(const std::string& path, Span span) {
  for (std::size_t end = path.size(); end != std::string::npos;
       end = end ? path.rfind('.', end - 1) : std::string::npos) {
    const std::string part = path.substr(0, end);
    const std::size_t dot = part.rfind('.') + 1;
    for (const Elsewhere& row : kElsewhere)
      if (has_word(row.prefixes, part.substr(0, dot)) && has_word(row.names, part.substr(dot)))
        throw CellError(Code::Unsupported, span, path + " is not known here", std::string(row.hint));
  }
  const bool is_torch = path.starts_with("torch.");
  throw CellError(Code::Unsupported, span, path + " is not known here",
                  is_torch
                      ? std::string(kOps)
                      : "of libraries, parts of torch, numpy, math, random, matplotlib and Python's own are known");
}

}  // namespace attn
