"""torch.testing and numpy.testing: whether two results are close."""
import numpy as np
import torch

TOLERANCES = {torch.float16: (1e-3, 1e-5), torch.bfloat16: (1.6e-2, 1e-5), torch.float32: (1.3e-6, 1e-5),
              torch.float64: (1e-7, 1e-7)}


def parts_of(value):
    return list(value.values()) if isinstance(value, dict) else list(value)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    settings = {'rtol': rtol, 'atol': atol, 'equal_nan': equal_nan, 'check_dtype': check_dtype}
    if isinstance(actual, (list, tuple, dict)) and isinstance(expected, (list, tuple, dict)):
        if len(actual) != len(expected):
            raise AssertionError('The length of the sequences mismatch: '
                                 f'{len(actual)} != {len(expected)}')
        for one, other in zip(parts_of(actual), parts_of(expected)):
            assert_close(one, other, **settings)
        return
    is_number = not isinstance(actual, torch.Tensor)
    a, b = torch.as_tensor(actual), torch.as_tensor(expected)
    if is_number:
        a, b = (x.double() if x.is_floating_point() else x for x in (a, b))
    if a.shape != b.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {a.shape} != {b.shape}.")
    if check_dtype and a.dtype != b.dtype and not is_number:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {a.dtype} != {b.dtype}.")
    if (rtol is None) != (atol is None):
        raise ValueError('Both or none of rtol and atol must be specified, but got '
                         + ('no rtol' if rtol is None else 'no atol') + '.')
    own = [TOLERANCES.get(x.dtype, (0., 0.)) for x in (a, b)]
    rtol = max(pair[0] for pair in own) if rtol is None else rtol
    atol = max(pair[1] for pair in own) if atol is None else atol
    a, b = a.detach().double(), b.detach().double()
    close = torch.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if close.all():
        return
    if msg is not None:
        raise AssertionError(msg if isinstance(msg, str) else msg(''))
    raise AssertionError(describe(a, b, close, rtol, atol))


def describe(a, b, close, rtol, atol):
    kind = 'Scalars' if a.dim() == 0 else 'Tensor-likes'
    equal = rtol == atol == 0
    lines = [f'{kind} are not {"equal" if equal else "close"}!', '']
    away = (a - b).abs()
    relative = away / b.abs()
    if a.dim() == 0:
        allowed = [f' (up to {limit} allowed)' if not equal else '' for limit in (atol, rtol)]
        return '\n'.join([*lines, f'Absolute difference: {away.item()}{allowed[0]}',
                          f'Relative difference: {relative.item()}{allowed[1]}'])
    wrong = int((~close).sum())
    lines.append(f'Mismatched elements: {wrong} / {a.numel()} ({wrong / a.numel():.1%})')
    for name, amount, limit in (('absolute', away, atol), ('relative', relative, rtol)):
        amount = torch.where(close, torch.zeros_like(amount), amount)
        place = int(amount.argmax())
        index = tuple(int(i) for i in np.unravel_index(place, tuple(a.shape)))
        up_to = '' if equal else f' (up to {limit} allowed)'
        lines.append(f'Greatest {name} difference: {amount.flatten()[place].item()} at index {index}{up_to}')
    return '\n'.join(lines)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg='', verbose=True):
    a, b = np.asarray(actual), np.asarray(desired)
    if not np.all(np.isclose(a, b, rtol, atol) | ((a != a) & (b != b))):
        raise AssertionError(f'\nNot equal to tolerance rtol={rtol:g}, atol={atol:g}\n{err_msg}')


def assert_array_equal(x, y, err_msg='', verbose=True):
    a, b = np.asarray(x), np.asarray(y)
    if not np.all(np.equal(a, b)):
        raise AssertionError(f'\nArrays are not equal\n{err_msg}')


def assert_almost_equal(actual, desired, decimal=7, err_msg='', verbose=True):
    if not np.all(np.abs(np.asarray(desired) - np.asarray(actual)) < 1.5 * 10. ** -decimal):
        raise AssertionError(f'\nArrays are not almost equal to {decimal} decimals\n{err_msg}')


assert_array_almost_equal = assert_almost_equal
