"""torch.autograd: functions whose way back the program writes itself."""
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
            outputs = result if isinstance(result, tuple) else (result,)
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
