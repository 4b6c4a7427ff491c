"""Tables of numbers as text: np.loadtxt and np.savetxt."""
import numpy as np


def lines_of(fname):
    if isinstance(fname, (list, tuple)):
        return list(fname)
    if hasattr(fname, 'read'):
        return fname.read().split('\n')
    with open(fname) as file:
        return file.read().split('\n')


def loadtxt(fname, dtype=float, comments='#', delimiter=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
            max_rows=None):
    if np.dtype(dtype) not in (np.int64, np.float64, np.float32):
        refuse("unsupported.name", 'name', f'numpy.loadtxt(dtype={dtype})')
    number = int if np.dtype(dtype) == np.int64 else float
    columns = [usecols] if isinstance(usecols, int) else usecols
    rows = []
    for line in lines_of(fname)[skiprows:]:
        line = line.split(comments)[0] if comments is not None else line
        if not line.strip() or (max_rows is not None and len(rows) == max_rows):
            continue
        words = line.strip('\r\n').split(delimiter)
        if rows and columns is None and len(words) != len(rows[0]):
            raise ValueError(f'the number of columns changed from {len(rows[0])} to {len(words)} at row '
                             f'{len(rows) + 1}; use `usecols` to select a subset and avoid this error')
        words = words if columns is None else [words[column] for column in columns]
        for place, word in enumerate(words):
            try:
                words[place] = number(word)
            except ValueError:
                raise ValueError(f"could not convert string '{word}' to {np.dtype(dtype)} at row {len(rows)}, "
                                 f'column {place + 1}.') from None
        rows.append(words)
    out = np.array(rows, dtype=dtype)
    if out.ndim > max(ndmin, 0) and out.size:
        out = np.squeeze(out)
    if out.ndim < ndmin:
        out = np.atleast_1d(out) if ndmin == 1 else np.atleast_2d(out).T
    return out.T if unpack else out


def savetxt(fname, X, fmt='%.18e', delimiter=' ', newline='\n', header='', footer='', comments='# '):
    X = np.asarray(X)
    if X.ndim == 0 or X.ndim > 2:
        raise ValueError(f'Expected 1D or 2D array, got {X.ndim}D array instead')
    rows = X.reshape(-1, 1) if X.ndim == 1 else X
    formats = list(fmt) if isinstance(fmt, (list, tuple)) else None
    if formats is None:
        formats = [fmt] * rows.shape[1] if fmt.count('%') == 1 else None
    elif len(formats) != rows.shape[1]:
        raise AttributeError(f'fmt has wrong shape.  {fmt}')
    whole = fmt if formats is None else delimiter.join(formats)
    text = ''.join([whole % tuple(row) + newline for row in rows.tolist()])
    note = lambda words: comments + words.replace('\n', '\n' + comments) + newline if words else ''
    text = note(header) + text + note(footer)
    if hasattr(fname, 'write'):
        fname.write(text)
    else:
        with open(fname, 'w') as file:
            file.write(text)
