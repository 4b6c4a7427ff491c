#include "lang/elsewhere.h"

#include <string_view>

#include "base/diagnostic.h"

namespace attn {
namespace {

struct Elsewhere {
  std::string_view prefixes;  // blank-separated, as the names
  std::string_view names;
  std::string_view hint;
};

constexpr std::string_view kInts = "integers are int64 here: leave dtype out or say torch.int64";
constexpr std::string_view kFloats = "floats are torch.float32 or torch.float64 here";
constexpr std::string_view kOps = "`attn-tutor ops` lists what is known here";

// A name that has a row in the table of ops or layers is found before anybody asks here.
constexpr Elsewhere kElsewhere[] = {
    {"torch.", "int32 int int16 short int8 uint8", kInts},
    {"Tensor.", "int short byte", kInts},
    {"torch.", "float16 half bfloat16 complex64 complex128", kFloats},
    {"Tensor.", "half bfloat16", kFloats},
    {"torch.", "set_printoptions", "an f-string shows a number as you like: f\"{x.item():.2f}\""},
    {"torch.nn.",
     "MultiheadAttention Transformer TransformerEncoder TransformerEncoderLayer TransformerDecoder "
     "TransformerDecoderLayer",
     "write it out with nn.Linear, matmul and softmax, as the lessons do"},
    {"torch.nn.",
     "RNN LSTM GRUCell LSTMCell Conv1d Conv2d BatchNorm1d BatchNorm2d GroupNorm Flatten GELU SiLU LeakyReLU ELU "
     "Softplus ParameterList ParameterDict ModuleDict EmbeddingBag Bilinear MaxPool1d MaxPool2d AvgPool1d utils",
     "`attn-tutor ops` lists the layers there are"},
    {"torch.nn. torch.nn.functional.", "CrossEntropyLoss NLLLoss cross_entropy nll_loss",
     "F.log_softmax gives the logarithms; pick those of the targets by their index"},
    {"torch.nn. torch.nn.functional.", "MSELoss mse_loss", "((a - b) ** 2).mean()"},
    {"torch.nn.functional.",
     "gelu silu leaky_relu elu softplus pad normalize cosine_similarity conv1d conv2d "
     "scaled_dot_product_attention unfold interpolate gumbel_softmax multi_head_attention_forward batch_norm",
     kOps},
    {"torch. Tensor.",
     "topk sort argsort cumsum cumprod einsum multinomial gather scatter scatter_ index_select index_fill nonzero "
     "unique bincount logsumexp erf floor ceil round trunc sign log2 log10 log1p expm1 sinh cosh tan atan atan2 asin "
     "acos outer ger dot mv norm dist cdist kthvalue mode histc diff flip roll rot90 movedim swapaxes tile take "
     "masked_select isclose lerp addmm baddbmm addcmul fmod cross trace det inverse svd qr kron tensordot diag "
     "diagonal diag_embed quantile nanmean std_mean var_mean argwhere searchsorted bucketize count_nonzero float_power",
     kOps},
    {"torch.",
     "linspace logspace eye meshgrid cartesian_prod combinations from_numpy empty_strided broadcast_tensors "
     "broadcast_to atleast_1d atleast_2d dstack block_diag tril_indices triu_indices vmap linalg special fft random",
     kOps},
    {"torch.", "optim autograd", "gradients are not computed here; the numbers of the forward pass are"},
    {"Tensor.", "backward register_hook retain_grad",
     "gradients are not computed here; the numbers of the forward pass are"},
    {"torch. Tensor.", "cuda backends", "everything runs on the processor here"},
    {"torch.", "save load utils distributed jit compile hub onnx device", kOps},
    {"Tensor.",
     "numpy storage data_ptr apply_ map_ exponential_ random_ cauchy_ unfold new_zeros new_ones new_full "
     "new_tensor new_empty index_fill_ index_copy_ index_add_ masked_scatter masked_scatter_ put_ copysign",
     kOps},
};

/// Whether a blank-separated list holds the word.
bool holds(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

void refuse_elsewhere(const std::string& path, Span span) {
  const std::size_t dot = path.rfind('.') + 1;
  const std::string_view prefix = std::string_view(path).substr(0, dot), name = std::string_view(path).substr(dot);
  if (name.empty()) return;
  for (const Elsewhere& row : kElsewhere) {
    if (!holds(row.prefixes, prefix) || !holds(row.names, name)) continue;
    throw CellError(Code::Unsupported, span, path + " is not known here", std::string(row.hint));
  }
}

}  // namespace attn
