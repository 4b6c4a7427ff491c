"""nn.RNN, GRU and LSTM, and their cells.

A step reads one element of the sequence (after its linear map, done for the whole sequence at once) and the states: h,
for LSTM also c. With the gates one after another in the weights:
  RNN:   h' = tanh(W x + U h)
  GRU:   reset = sigmoid(Wr x + Ur h)    update = sigmoid(Wu x + Uu h)    new = tanh(Wn x + reset * (Un h))
         h' = (h - new) * update + new
  LSTM:  in, forget, out = sigmoid(W x + U h)    cell = tanh(Wc x + Uc h)
         c' = forget * c + in * cell    h' = out * tanh(c')
written in the order of operations in which PyTorch does it, so that the digits are the same.
"""
import torch
from torch import sigmoid, tanh
from torch.nn import functional as F
from torch.nn.functional import linear
from torch.nn.utils.rnn import PackedSequence


def tanh_step(x, states, weight, bias):
    return [tanh(linear(states[0], weight, bias) + x)]


def relu_step(x, states, weight, bias):
    return [torch.relu(linear(states[0], weight, bias) + x)]


def gru_step(x, states, weight, bias):
    hidden = states[0]
    h = linear(hidden, weight, bias).chunk(3, 1)
    x = x.chunk(3, 1)
    reset = sigmoid(h[0] + x[0])
    update = sigmoid(h[1] + x[1])
    new = tanh(x[2] + h[2] * reset)
    return [(hidden - new) * update + new]


def lstm_step(x, states, weight, bias):
    gates = (linear(states[0], weight, bias) + x).chunk(4, 1)
    new = sigmoid(gates[0])
    forget = sigmoid(gates[1])
    cell = tanh(gates[2])
    out = sigmoid(gates[3])
    memory = forget * states[1] + new * cell
    return [out * tanh(memory), memory]


def run_direction(step, weights, input, first, backwards, batch_sizes):
    weight_ih, weight_hh, bias_ih, bias_hh = weights
    mapped = linear(input, weight_ih, bias_ih)
    steps = mapped.unbind() if batch_sizes is None else mapped.split(batch_sizes)
    states, ended, outputs = first, [], []
    if batch_sizes is not None and backwards:
        states = [state[:batch_sizes[-1]] for state in first]
    for x in reversed(steps) if backwards else steps:
        if batch_sizes is not None:
            states, ended = for_rows(len(x), first, states, ended)
        states = step(x, states, weight_hh, bias_hh)
        outputs.append(states[0])
    if not outputs:
        fail('shape', 'Expected sequence length to be larger than 0 in RNN')
    if backwards:
        outputs.reverse()
    if ended:
        states = [torch.cat([state, *reversed([rows[i] for rows in ended])]) for i, state in enumerate(states)]
    return torch.stack(outputs) if batch_sizes is None else torch.cat(outputs), states


def for_rows(count, first, states, ended):
    """The states of so many rows of a packed batch, and those of the rows that have ended; a row may also begin."""
    known = len(states[0])
    if count > known:
        return [torch.cat([state, new[known:count]]) for state, new in zip(states, first)], ended
    if count == known:
        return states, ended
    return [state[:count] for state in states], [*ended, [state[count:] for state in states]]


def run_sequence(step, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first,
                 batch_sizes):
    first = [state.unbind() for state in hx]
    last = [[] for state in hx]
    if batch_first:
        input = input.transpose(0, 1)
    for layer in range(num_layers):
        outputs = []
        for backwards in [False, True] if bidirectional else [False]:
            cell = len(last[0])
            weights = params[4 * cell:4 * cell + 4] if has_biases else params[2 * cell:2 * cell + 2] + [None, None]
            output, states = run_direction(step, weights, input, [state[cell] for state in first], backwards,
                                           batch_sizes)
            outputs.append(output)
            for kept, state in zip(last, states):
                kept.append(state)
        input = torch.cat(outputs, -1) if bidirectional else outputs[0]
        if dropout != 0 and train and layer + 1 < num_layers:
            input = F.dropout(input, dropout)
    if batch_first:
        input = input.transpose(0, 1)
        if step is not lstm_step:
            history(input, 'TransposeBackward1')  # there the axes are swapped in place
    return input, *[torch.stack(states) for states in last]


def run_cell(step, input, hx, params):
    weight_ih, weight_hh, bias_ih, bias_hh = params if len(params) == 4 else params + [None, None]
    return tuple(step(linear(input, weight_ih, bias_ih), hx, weight_hh, bias_hh))


rnn_tanh = lambda *given: run_sequence(tanh_step, *given)
rnn_relu = lambda *given: run_sequence(relu_step, *given)
gru = lambda *given: run_sequence(gru_step, *given)
lstm = lambda *given: run_sequence(lstm_step, *given)
rnn_tanh_cell = lambda *given: run_cell(tanh_step, *given)
rnn_relu_cell = lambda *given: run_cell(relu_step, *given)
gru_cell = lambda *given: run_cell(gru_step, *given)
lstm_cell = lambda *given: run_cell(lstm_step, *given)


def require_tensor(value, hint=''):
    if not isinstance(value, torch.Tensor):
        fail('attribute', f"'{type(value).__name__}' object has no attribute 'dim'", hint)


# ---- sequences ----

def given_states(hx, count, is_batched):
    """The states that the call brings, with an axis for the batch."""
    states = [hx] if count == 1 else list(hx)
    if len(states) < count:
        text = f'index {len(states)} is out of bounds for dimension 0 with size {len(states)}'
        fail('index', text if isinstance(hx, torch.Tensor) else 'tuple index out of range', say("mistake.lstm"))
    states = states[:count]
    for state in states:
        require_tensor(state, say("mistake.input"))
    dims = [state.dim() for state in states]
    wanted = 3 if is_batched else 2
    if any(d != wanted for d in dims):
        which = 'batched 3-D' if is_batched else 'unbatched 2-D'
        if count == 1:
            fail('shape', f'For {which} input, hx should also be {wanted}-D but got {dims[0]}-D tensor')
        fail('shape', f'For {which} input, hx and cx should also be {wanted}-D but got ({dims[0]}-D, {dims[1]}-D) '
             'tensors')
    return states if is_batched else [state.unsqueeze(1) for state in states]


def forward(layer, op, count, input, hx):
    """Output and states of the op of that name, which has so many of them."""
    packed = input if isinstance(input, PackedSequence) else None
    input = input if packed is None else input.data
    require_tensor(input, say("mistake.input"))
    is_batched = packed is not None or input.dim() == 3
    batch_dim = 0 if layer.batch_first else 1
    sequence = input if is_batched else input.unsqueeze(batch_dim)
    states = [] if hx is None else given_states(hx, count, is_batched)
    dims = 3 if packed is None else 2
    if sequence.dim() != dims:
        fail('shape', f'input must have {dims} dimensions, got {sequence.dim()}')
    if sequence.shape[-1] != layer.input_size:
        fail('shape', f'input.size(-1) must be equal to input_size. Expected {layer.input_size}, got '
             f'{sequence.shape[-1]}')
    cells = layer.num_layers * (2 if layer.bidirectional else 1)
    batch_sizes = None if packed is None else packed.batch_sizes.tolist()
    wanted = (cells, sequence.shape[batch_dim] if packed is None else batch_sizes[0], layer.hidden_size)
    while len(states) < count:
        states.append(torch.zeros(wanted, dtype=sequence.dtype))
    for i, state in enumerate(states):
        if tuple(state.shape) != wanted:
            which = '' if count == 1 else f'[{i}]'
            fail('shape', f'Expected hidden{which} size {wanted}, got {list(state.shape)}')
    if packed is not None and hx is not None and packed.sorted_indices is not None:
        states = [state.index_select(1, packed.sorted_indices) for state in states]
    results = as_op(op, sequence, states, list(layer.parameters(False)), layer.bias, layer.num_layers, layer.dropout,
                    layer.training, layer.bidirectional, layer.batch_first and packed is None,
                    *([] if packed is None else [batch_sizes]))
    if packed is not None:
        output, *states = results
        if packed.unsorted_indices is not None:
            states = [state.index_select(1, packed.unsorted_indices) for state in states]
        output = PackedSequence(output, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
        return output, states[0] if count == 1 else tuple(states)
    if not is_batched:
        results = [result.squeeze(1 if i else batch_dim) for i, result in enumerate(results)]
    return results[0], results[1] if count == 1 else tuple(results[1:])


def settings(layer):
    text = f'{layer.input_size}, {layer.hidden_size}'
    for name, usual in [('num_layers', 1), ('bias', True), ('batch_first', False), ('dropout', 0),
                        ('bidirectional', False)]:
        value = getattr(layer, name)
        if value != usual:
            text += f', {name}={value}'
    return text


def flatten_parameters(self):
    """Weights have no other place to be."""


class RNN:
    extra_repr, flatten_parameters = settings, flatten_parameters

    def forward(self, input, hx=None):
        return forward(self, 'rnn_relu' if self.nonlinearity == 'relu' else 'rnn_tanh', 1, input, hx)


class GRU:
    extra_repr, flatten_parameters = settings, flatten_parameters

    def forward(self, input, hx=None):
        return forward(self, 'gru', 1, input, hx)


class LSTM:
    extra_repr, flatten_parameters = settings, flatten_parameters

    def forward(self, input, hx=None):
        return forward(self, 'lstm', 2, input, hx)


# ---- one step ----

def forward_cell(cell, name, op, count, input, hx):
    require_tensor(input)
    is_batched = input.dim() == 2
    if not is_batched and input.dim() != 1:
        fail('assertion', f'{name}: Expected input to be 1-D or 2-D but received {input.dim()}-D tensor')
    if not is_batched:
        input = input.unsqueeze(0)
    if hx is None:
        states = [torch.zeros((input.shape[0], cell.hidden_size), dtype=input.dtype)] * count
    else:
        states = [hx] if count == 1 else list(hx)
        states = states if is_batched else [state.unsqueeze(0) for state in states]
    check_cell(cell, input, states)
    params = [p for p in (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh) if p is not None]
    results = as_op(op, input, states, params)
    if not is_batched:
        results = tuple(result.squeeze(0) for result in results)
    return results[0] if count == 1 else results


def check_cell(cell, input, states):
    if input.shape[1] != cell.input_size:
        fail('shape', f'input has inconsistent input_size: got {input.shape[1]} expected {cell.input_size}')
    for i, state in enumerate(states):
        if not isinstance(state, torch.Tensor) or state.dim() != 2:
            fail('shape', say("argument.hx"))
        if state.shape[0] != input.shape[0]:
            fail('shape', f"Input batch size {input.shape[0]} doesn't match hidden{i} batch size {state.shape[0]}")
        if state.shape[1] != cell.hidden_size:
            fail('shape', f'hidden{i} has inconsistent hidden_size: got {state.shape[1]}, expected {cell.hidden_size}')


def cell_settings(cell):
    text = f'{cell.input_size}, {cell.hidden_size}'
    if not cell.bias:
        text += f', bias={cell.bias}'
    if getattr(cell, 'nonlinearity', 'tanh') != 'tanh':
        text += f', nonlinearity={cell.nonlinearity}'
    return text


class RNNCell:
    extra_repr = cell_settings

    def forward(self, input, hx=None):
        if self.nonlinearity not in ('tanh', 'relu'):
            fail('shape', f'Unknown nonlinearity: {self.nonlinearity}')
        return forward_cell(self, 'RNNCell', f'rnn_{self.nonlinearity}_cell', 1, input, hx)


class GRUCell:
    extra_repr = cell_settings

    def forward(self, input, hx=None):
        return forward_cell(self, 'GRUCell', 'gru_cell', 1, input, hx)


class LSTMCell:
    extra_repr = cell_settings

    def forward(self, input, hx=None):
        return forward_cell(self, 'LSTMCell', 'lstm_cell', 2, input, hx)
