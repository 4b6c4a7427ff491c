"""torch.autograd: functions whose way back the program writes itself."""
import warnings

import torch


class FunctionCtx:
    def __init__(self, needs_input_grad):
        self.needs_input_grad, self.saved_tensors = needs_input_grad, ()
        self.unchangeable, self.materializes = (), True

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *args):
        self.unchangeable = args

    def mark_dirty(self, *args):
        refuse("unsupported.gradient.dirty")

    def set_materialize_grads(self, value):
        self.materializes = value


class Function:
    @staticmethod
    def forward(ctx, *args, **kwargs):
        raise NotImplementedError('You must implement the forward function for custom autograd.Function.')

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError('You must implement either the backward or vjp method for your custom '
                                  'autograd.Function to use it with backward mode AD.')

    def __call__(self, *args, **kwargs):
        fail('runtime', 'Legacy autograd function with non-static forward method is deprecated. Please use new-style '
             'autograd function with static forward method. (Example: '
             'https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)')

    @classmethod
    def apply(cls, *args):
        ctx = FunctionCtx(tuple(isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args))
        with torch.no_grad():
            result = cls.forward(ctx, *args)
            outputs = tuple(result) if isinstance(result, tuple) else (result,)
            # The history of a result leads to what was saved, so that is another handle.
            ctx.saved_tensors = tuple(saved.detach() if any(saved is output for output in outputs) else saved
                                      for saved in ctx.saved_tensors)
        if not torch.is_grad_enabled() or not any(ctx.needs_input_grad):
            return result
        ctx.shapes = [list(arg.shape) if isinstance(arg, torch.Tensor) else None for arg in args]
        ctx.results = [(output.shape, output.dtype) if isinstance(output, torch.Tensor) else None for output in outputs]
        changes = [isinstance(output, torch.Tensor) and output.is_floating_point() and
                   not any(output is other for other in ctx.unchangeable) for output in outputs]
        made = with_history(cls.__name__ + 'Backward', (cls, ctx), args, outputs, changes)
        return made if isinstance(result, tuple) else made[0]


# ---- derivatives as matrices, and by differences ----

def as_list(value):
    return (list(value), True) if isinstance(value, (tuple, list)) else ([value], False)


def tried(func, inputs, create_graph):
    """(leaves, outputs, whether there were several inputs, several outputs) of a call with copies of the inputs."""
    if create_graph:
        refuse("unsupported.gradient.second")
    given, has_inputs = as_list(inputs)
    leaves = [x.detach().clone().requires_grad_() for x in given]
    with torch.enable_grad():
        outputs, has_outputs = as_list(func(*leaves))
    return leaves, outputs, has_inputs, has_outputs


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy='reverse-mode'):
    """d output / d input, of shape (*output, *input); tuples of them for several."""
    leaves, outputs, has_inputs, has_outputs = tried(func, inputs, create_graph)
    found = []
    for output in outputs:
        rows = [[] for _ in leaves]
        for element in output.reshape(-1):
            grads = (torch.autograd.grad(element, leaves, retain_graph=True, allow_unused=True)
                     if output.requires_grad else [None] * len(leaves))
            for row, leaf, grad in zip(rows, leaves, grads):
                row.append(torch.zeros_like(leaf) if grad is None else grad)
        each = tuple(torch.stack(row).view([*output.shape, *leaf.shape]) if row else
                     leaf.new_zeros([*output.shape, *leaf.shape]) for row, leaf in zip(rows, leaves))
        found.append(each if has_inputs else each[0])
    return tuple(found) if has_outputs else found[0]


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """(outputs, v @ jacobian): how v, a gradient of the outputs, goes back to the inputs."""
    leaves, outputs, has_inputs, has_outputs = tried(func, inputs, create_graph)
    if v is None:
        if len(outputs) != 1 or outputs[0].numel() != 1:
            fail('runtime', 'The vector v can only be None if the user-provided function returns a single Tensor with a '
                 'single element.')
        vectors = [torch.ones_like(outputs[0])]
    else:
        vectors = as_list(v)[0]
        if len(vectors) != len(outputs):
            fail('runtime', f'v is a tuple of invalid length: should be {len(outputs)} but got {len(vectors)}.')
        for place, (vector, output) in enumerate(zip(vectors, outputs)):
            if vector.shape != output.shape:
                entry = f'Entry {place} in ' if len(outputs) > 1 else ''
                fail('runtime', f'{entry}v has invalid size: should be {output.size()} but got {vector.size()}.')
    grads = torch.autograd.grad(outputs, leaves, vectors, allow_unused=True)
    grads = tuple(torch.zeros_like(leaf) if grad is None else grad for leaf, grad in zip(leaves, grads))
    outputs = tuple(output.detach() for output in outputs)
    return outputs if has_outputs else outputs[0], grads if has_inputs else grads[0]


class GradcheckError(RuntimeError):
    pass


def gradcheck(func, inputs, eps=1e-06, atol=1e-05, rtol=0.001, raise_exception=True, **settings):
    """Whether the gradients are those that differences give. Inputs want float64."""
    given = as_list(inputs)[0]
    if not any(isinstance(x, torch.Tensor) and x.requires_grad for x in given):
        raise ValueError('gradcheck expects at least one input tensor to require gradient, but none of the them have '
                         'requires_grad=True.')
    for place, x in enumerate(given):
        if not isinstance(x, torch.Tensor) or not x.requires_grad:
            continue
        if x.dtype != torch.float64:
            warnings.warn(f'Input #{place} requires gradient and is not a double precision floating point or complex. '
                          'This check will likely fail if all the inputs are not of double precision floating point or '
                          'complex. ')

        def at(value):
            result = func(*given[:place], value, *given[place + 1:])
            return result[0] if isinstance(result, (tuple, list)) else result

        analytical = jacobian(at, x).reshape(-1, x.numel()).T
        numerical = torch.zeros_like(analytical)
        with torch.no_grad():
            for i in range(x.numel()):
                step = torch.zeros_like(x).reshape(-1)
                step[i] = eps
                step = step.view_as(x)
                numerical[i] = ((at(x + step) - at(x - step)) / (2 * eps)).reshape(-1)
        if not torch.allclose(analytical, numerical, rtol, atol):
            if not raise_exception:
                return False
            raise GradcheckError(f'Jacobian mismatch for output 0 with respect to input {place},\n'
                                 f'numerical:{numerical}\nanalytical:{analytical}\n')
    return True


def look_for_nan(wanted):
    """Behind every op of backward() (torch/backward_pass.cpp)."""
    kept('anomaly').clear()
    if wanted:
        kept('anomaly')['wanted'] = True


class set_detect_anomaly:
    def __init__(self, mode=True, check_nan=True):
        self.before = 'wanted' in kept('anomaly')
        look_for_nan(mode and check_nan)

    def __enter__(self):
        return None

    def __exit__(self, *excinfo):
        look_for_nan(self.before)
        return False


class detect_anomaly(set_detect_anomaly):
    def __init__(self, check_nan=True):
        super().__init__(True, check_nan)
