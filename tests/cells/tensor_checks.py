# What PyTorch checks, in its order, and what it makes of tensors without elements.
import torch
import torch.nn as nn
import torch.nn.functional as F

# case: losses of classes without examples or classes
print(F.nll_loss(torch.ones(0, 3), torch.ones(0)), F.nll_loss(torch.ones(0), torch.zeros(0).long(), reduction='none'))
# expect: tensor(nan) tensor(0.)
print(F.nll_loss(torch.ones(5, 0), torch.zeros(5).long(), ignore_index=0, reduction='none'))
# expect: tensor([0., 0., 0., 0., 0.])
print(F.nll_loss(torch.ones(2, 3), torch.zeros(2).long(), ignore_index=0), F.nll_loss(torch.ones(0), torch.tensor(0), ignore_index=0, reduction='sum'))
# expect: tensor(nan) tensor(0.)

# case: a vector of scores and many targets
print(F.nll_loss(torch.tensor([0.5, -1.0, 2.0]), torch.tensor([2, 9, 9]), reduction='none'))  # expect: tensor(-2.)

# case: an image of scores is checked in PyTorch's order
F.nll_loss(torch.ones(2, 3, 4, 5), torch.ones(2, 4).long())  # expect error[RuntimeError]: only batches of spatial targets supported (3D tensors) but got targets of dimension: 2

# case: an image of another size
F.nll_loss(torch.ones(2, 3, 4, 5), torch.ones(2, 5, 4).long())  # expect error[RuntimeError]: size mismatch (got input: [2, 3, 4, 5] , target: [2, 5, 4]

# case: weights of an image's classes
F.nll_loss(torch.ones(2, 3, 4), torch.ones(2, 4).long(), weight=torch.ones(2))  # expect error[RuntimeError]: weight tensor should be defined either for all or no classes

# case: weights of another type
F.nll_loss(torch.ones(2, 3), torch.ones(2).long(), weight=torch.ones(3).double())  # expect error[RuntimeError]: expected scalar type Float but found Double

# case: scores that are no floats
F.nll_loss(torch.ones(2, 3, 1).long(), torch.ones(2, 1).long())  # expect error[RuntimeError]: "nll_loss2d_forward_out_frame" not implemented for 'Long'

# case: weights of probabilities
F.cross_entropy(torch.ones(2, 3), torch.ones(2, 3), weight=torch.ones(2))  # expect error[RuntimeError]: cross_entropy: weight tensor should be defined either for all 3 classes or no classes but got weight tensor of shape: [2]

# case: a number named input
try:
    torch.where(torch.tensor([True]), input=1.0, other=torch.ones(1))
except TypeError as error:
    print(str(error).split(' - ')[0])
# expect: where() received an invalid combination of arguments

# case: two numbers
try:
    torch.pow(2, 3)
except TypeError as error:
    print(str(error).split(' - ')[0])
# expect: pow() received an invalid combination of arguments

# case: no list for broadcast_tensors
torch.broadcast_tensors([torch.ones(1)])  # expect error[TypeError]: expected Tensor as element 0 in argument 0, but got list

# case: products of nothing have a type
print((torch.ones(0, 2).double() @ torch.ones(2, 3)).dtype, (torch.ones(0, 2) @ torch.ones(2).long()).dtype, (torch.ones(2, 1).bool().inner(torch.ones(0, 1).bool())).dtype)
# expect: torch.float64 torch.int64 torch.int64

# case: norms of nothing without an answer
print(torch.linalg.vector_norm(torch.ones(2, 0), -2.5, dim=0), torch.norm(torch.ones(0), float('inf')))
# expect: tensor([]) tensor(0.)
torch.linalg.vector_norm(torch.ones(0), -1)  # expect error[RuntimeError]: linalg.vector_norm cannot compute the -1 norm on an empty tensor because the operation does not have an identity

# case: the largest of an empty axis
torch.linalg.norm(torch.ones(2, 0), float('inf'), dim=1)  # expect error[RuntimeError]: linalg.vector_norm cannot compute the inf norm on the dimension 1because this dimension is empty and the operation does not have an identity

# case: draws in the order of memory
_ = torch.manual_seed(0)
print(torch.arange(6).view(3, 2).t().random_(9), torch.arange(8).view(2, 4)[:, ::2].t().random_(2, 7))
# expect: tensor([[8, 2, 7],
# expect:         [0, 6, 6]]) tensor([[4, 4],
# expect:         [5, 5]])
print(torch.zeros(3, 2).t().bernoulli_(torch.tensor([0.1, 0.5, 0.9])))
# expect: tensor([[0., 1., 1.],
# expect:         [0., 1., 1.]])
print(torch.bernoulli(torch.zeros(3, 2).long().t(), p=0.3))
# expect: tensor([[0, 1, 0],
# expect:         [1, 0, 0]])

# case: convolutions of nothing
print(F.conv1d(torch.ones(1, 0, 2).long(), torch.ones(2, 0, 1), padding=1).shape, F.conv1d(torch.ones(0, 2, 4), torch.ones(3, 2, 2), stride=2).shape)
# expect: torch.Size([1, 0, 4]) torch.Size([0, 3, 2])
F.conv1d(torch.ones(1, 1, 0), torch.ones(2, 1, 1), padding=1)  # expect error[RuntimeError]: Only zero batch or zero channel inputs are supported, but got input shape: [1, 1, 1, 0]

# case: batches of nothing
print(F.batch_norm(torch.ones(2, 0), torch.zeros(3), torch.ones(1)).shape)  # expect: torch.Size([2, 0])
F.batch_norm(torch.ones(3), torch.zeros(2), torch.ones(2))  # expect error[RuntimeError]: running_mean should contain 0 elements not 2

# case: a batch without running numbers
F.batch_norm(torch.ones(3, 2), None, None)  # expect error[RuntimeError]: running_mean must be defined in evaluation mode

# case: a Bool number
print(torch.tensor(True).topk(0), torch.tensor(True).kthvalue(1))
# expect: torch.return_types.topk(
# expect: values=tensor(True),
# expect: indices=tensor(0)) torch.return_types.kthvalue(
# expect: values=tensor(True),
# expect: indices=tensor(0))
print(torch.tensor(True).cumprod(-1, dtype=torch.bool), torch.logspace(0.37, 2.7, 1, dtype=torch.int64), torch.linspace(0.37, 2.7, 1, dtype=torch.bool))
# expect: tensor(True) tensor([2]) tensor([True])

# case: a number copied into a narrow tensor wraps
print(torch.ones(1, dtype=torch.uint8).copy_(-1.3), torch.ones(1, dtype=torch.int8).copy_(200.5))
# expect: tensor([255], dtype=torch.uint8) tensor([-56], dtype=torch.int8)

# case: losses keep their type
print(F.binary_cross_entropy_with_logits(torch.ones(2).double(), torch.ones(2)).dtype, F.huber_loss(torch.ones(2), torch.ones(2).double()).dtype)
# expect: torch.float32 torch.float32
print(F.mse_loss(torch.ones(2), torch.tensor(1.0).double()).dtype, F.smooth_l1_loss(torch.tensor([True]), torch.tensor([2.5]), beta=0.0))
# expect: torch.float64 tensor(1.5000)
F.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(2).long())  # expect error[RuntimeError]: result type Float can't be cast to the desired output type Long

# case: weights that would make more losses
F.binary_cross_entropy_with_logits(torch.tensor(1.0), torch.tensor(1.0), pos_weight=torch.ones(3))  # expect error[RuntimeError]: output with shape [] doesn't match the broadcast shape [3]

# case: NaN compared in place
torch.isclose(torch.tensor(1.0), torch.ones(2), equal_nan=True)  # expect error[RuntimeError]: output with shape [] doesn't match the broadcast shape [2]

# case: a tolerance is looked at before the shapes
torch.isclose(torch.ones(2), torch.ones(3), -1.0)  # expect error[RuntimeError]: rtol must be greater than or equal to zero, but got -1

# case: an index without elements has any type
print(torch.ones(0).gather(0, torch.ones(0)), torch.logsumexp(torch.ones(5, 0), ()))
# expect: tensor([]) tensor(-inf)

# case: an index into nothing
x = torch.ones(0)
x[1:][torch.tensor([0])] = x  # expect error[IndexError]: index is out of bounds for dimension with size 0

# case: strides of images whose channels come last
x = torch.ones(1, 2, 2, 1).permute(3, 2, 1, 0)
print((x - x).stride(), x.clone().stride())  # expect: (4, 1, 2, 2) (1, 1, 2, 4)

# case: layers and whole numbers in another order of memory
print(nn.LayerNorm(2)(torch.ones(2, 3).t()).stride(), torch.floor(torch.ones(2, 3).long().t()).stride())
# expect: (2, 1) (1, 3)

# case: narrow ranges count in floats
print(torch.arange(-1, 2.16, 1.58, dtype=torch.int32), torch.arange(0.5, 3.7, dtype=torch.int16))
# expect: tensor([-1,  0], dtype=torch.int32) tensor([0, 1, 2, 3], dtype=torch.int16)
torch.arange(0, 1, 0.3, dtype=torch.int32)  # expect error[RuntimeError]: step must be nonzero

# case: identities of bfloat16
torch.eye(2, dtype=torch.bfloat16)  # expect error[RuntimeError]: "eye" not implemented for 'BFloat16'

# case: bounds that do not fit
F.hardtanh(torch.ones(3).long(), -2.55, float('inf'))  # expect error[RuntimeError]: value cannot be converted to type int64_t without overflow

# case: a view that is written to has its history made anew
x = torch.ones(2, 2, requires_grad=True) * 1
y = x.view(4)
y += 1
print(y, x * 1)
# expect: tensor([2., 2., 2., 2.], grad_fn=<AsStridedBackward0>) tensor([[2., 2.],
# expect:         [2., 2.]], grad_fn=<MulBackward0>)

# case: ends of a row of whole numbers
print(torch.linspace(2, float("inf"), steps=1, dtype=torch.int64))  # expect: tensor([2])
torch.linspace(2, float("inf"), steps=2, dtype=torch.int64)  # expect error[RuntimeError]: value cannot be converted to type int64_t without overflow

# case: the weight of a layer norm
F.layer_norm(torch.ones(2, 3), (3,), torch.ones(2, 3))  # expect error[RuntimeError]: Expected weight to be of same shape as normalized_shape, but got weight of shape [2, 3] and normalized_shape = [3]

# case: one draw with replacement is looked up
_ = torch.manual_seed(12)
print(torch.multinomial(torch.ones(6, 3), 1, True).flatten())  # expect: tensor([2, 1, 0, 0, 2, 1])

# case: towards infinity
print(torch.lerp(torch.ones(3), torch.tensor(float("-inf")), torch.tensor([-3.0, -0.2, 0.7])))  # expect: tensor([inf, inf, nan])

# case: a mask of one value that does not fit
x = torch.zeros(2, 4, dtype=torch.uint8)
x[0, torch.tensor([False, True, True, False])] = torch.tensor(-1.5)  # expect error[RuntimeError]: value cannot be converted to type uint8_t without overflow

# case: copies are contiguous
x = torch.ones(2, 3).t()
print(x.index_copy(0, torch.tensor([0]), x[:1]).stride(), x.index_add(0, torch.tensor([0]), x[:1]).stride())  # expect: (2, 1) (2, 1)
print((torch.ones(1, 2) @ torch.ones(2, 2, 3)).stride(), nn.BatchNorm1d(2)(x).stride())  # expect: (3, 1, 1) (2, 1)

# case: a loss has no derivative for its weights
F.binary_cross_entropy(torch.ones(2), torch.ones(2), weight=torch.ones(2, requires_grad=True))  # expect error[RuntimeError]: The function 'binary_cross_entropy' is not differentiable with respect to argument 'weight'. This input cannot have requires_grad True.

# case: a variance for a batch norm
F.batch_norm(torch.ones(2, 2), torch.ones(2), None)  # expect error[RuntimeError]: running_var must be defined in evaluation mode

# case: images without places
F.unfold(torch.ones(2, 0), 4, padding=4)  # expect error[RuntimeError]: Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: [2, 0]

# case: a factor of half precision
torch.ones(2).half().add(1, alpha=2)  # expect error[unsupported]: add(alpha=...) of torch.float16 is not supported

# case: bytes of a tensor that requires a gradient
torch.ones(2, requires_grad=True).view(torch.float32)  # expect error[unsupported]: view(dtype) of a tensor that requires a gradient is not supported

# case: the fifth argument of norm is out
try:
    torch.norm(torch.ones(2, 3), 2, -1, False, torch.float64)
except TypeError:
    print("TypeError")
# expect: TypeError


# case: windows of a negative size
torch.ones(3).unfold(0, -1, 1)  # expect error[RuntimeError]

# case: a bound below the other one
print(torch.nn.init.trunc_normal_(torch.ones(3), a=100, b=99))  # expect: tensor([99., 99., 99.])

# case: a padding of the output beyond a step
x = torch.ones(1, 1, 2, 2)
print(F.conv_transpose2d(x, x, stride=2, output_padding=1).shape, F.conv_transpose2d(x, x, dilation=2, output_padding=(1, 0)).shape)  # expect: torch.Size([1, 1, 5, 5]) torch.Size([1, 1, 5, 4])
F.conv_transpose2d(x, x, stride=(1, 2), output_padding=1)  # expect error[RuntimeError]: output padding must be smaller than either stride or dilation, but got output_padding_height: 1 output_padding_width: 1 stride_height: 1 stride_width: 2 dilation_height: 1 dilation_width: 1

# case: places that are no tuple
torch.ones(3).index_put(torch.ones(3, dtype=torch.bool), torch.tensor(2.))  # expect error[TypeError]: index_put(): argument 'indices' (position 1) must be tuple of Tensors, not Tensor

# case: a place that is no tensor
torch.ones(3).index_put((1,), torch.tensor(2.))  # expect error[TypeError]: expected Tensor as element 0 in argument 0, but got int

# case: an area of no points
a = torch.ones(2, 0, dtype=torch.int64)
print(torch.trapezoid(a), torch.trapezoid(a, x=torch.ones(2, 0)), torch.trapezoid(torch.ones(0, 1), dim=0))  # expect: tensor([0, 0]) tensor([0, 0]) tensor([0.])
# case: types that arithmetic would have
print(torch.promote_types(torch.int64, torch.float16), torch.promote_types(torch.uint8, torch.int8), torch.promote_types(torch.bool, torch.bool))
print(torch.result_type(torch.tensor([1, 2]), 1.0), torch.result_type(torch.tensor([1.0]), torch.tensor(1.0, dtype=torch.float64)), torch.result_type(3, 2.5))
# expect: torch.float16 torch.int16 torch.bool
# expect: torch.float32 torch.float32 torch.float32


# case: tensors by their type, and from the end
x = torch.ones(2)
print(isinstance(x, torch.FloatTensor), isinstance(x.int(), torch.FloatTensor), isinstance(x.long(), (int, torch.LongTensor)), isinstance(3, torch.FloatTensor), isinstance(nn.Parameter(x), torch.FloatTensor))
back = reversed(torch.arange(4).view(2, 2))
print(type(back).__name__, back, [row.tolist() for row in back])
# expect: True False True False True
# expect: Tensor tensor([[2, 3],
# expect:         [0, 1]]) [[2, 3], [0, 1]]
