"""Calls whose errors have PyTorch's or Python's own texts: those that lessons, the notebooks of tests/notebooks and the
small public notebooks that teach attention make. Of errors of other calls the type alone counts (docs/testing.md)."""

import ast

CALLS = frozenset((
    "BatchNorm2d Conv2d CrossEntropyLoss Dropout Embedding FloatTensor GELU GRU Identity LSTM LayerNorm Linear "
    "LongTensor Module ModuleDict ModuleList MultiheadAttention NLLLoss OrderedDict Parameter RNN ReLU Sequential "
    "Softmax Tanh Tensor TransformerEncoder TransformerEncoderLayer ValueError abs add_module all allclose amax any "
    "append apply arange argmax argmin argsort array asarray astype bernoulli bfloat16 bmm bool buffers byte cat "
    "choice chunk clamp clone concat constant_ contiguous copy copy_ cos cosine_similarity count cross_entropy cumsum "
    "data_ptr dataclass deepcopy defaultdict detach device diag diagonal dict dim dist dot double dropout einsum "
    "element_size elu embedding empty empty_like encode encoder endswith enumerate eq equal eval exp expand expand_as "
    "expand_dims extend eye field fill_ fill_diagonal_ finfo flatten flip float floor from_numpy full full_like "
    "gather gelu get get_default_dtype getattr gru gt hasattr hstack index index_select inference_mode inner int "
    "is_available is_contiguous isclose isinstance isnan item items iter join kaiming_normal_ kaiming_uniform_ keys "
    "layer_norm len linear list load_file load_state_dict log log2 log_softmax long lower lstm manual_seed map "
    "masked_fill masked_fill_ matmul max mean min mm modules mse_loss mul multinomial named_buffers named_children "
    "named_parameters namedtuple nan_to_num nelement next no_grad nonzero normal_ numel numpy ones ones_like outer "
    "pad parameters permute pow power print prod rand randint randn random randperm range register_buffer "
    "register_parameter relu repeat repeat_interleave replace repr requires_grad_ reshape round rsqrt scatter_ seed "
    "set set_printoptions setattr silu sin size softmax sort sorted split sqrt square squeeze stack startswith "
    "state_dict std str stride strip sub sum super t tanh tensor time to tolist topk train transpose tril triu "
    "trunc_normal_ tuple type type_as unbind unflatten uniform_ unique unsqueeze update upper values var view vstack "
    "where xavier_uniform_ zero_ zeros zeros_ zeros_like zip"
).split())


def is_format(node):
    """A format of Python: '%5d' % x, f'{x:>5}'."""
    is_percent = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant)
    return is_percent or (isinstance(node, ast.FormattedValue) and node.format_spec is not None)


def has_exact_text(code):
    """Whether each call in a piece of code is one of these, or of a function that the code makes itself."""
    nodes = list(ast.walk(ast.parse(code)))
    own = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    callees = (node.func for node in nodes if isinstance(node, ast.Call))
    called = {getattr(callee, "attr", getattr(callee, "id", None)) for callee in callees} - {None}
    return called <= CALLS | own and not any(map(is_format, nodes))
