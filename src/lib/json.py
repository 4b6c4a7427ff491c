"""json.dumps."""
import math


def dumps(obj, indent=None, ensure_ascii=True, sort_keys=False):
    if indent is not None and indent > 1000:
        refuse("unsupported.indent", 'most', '1000')
    pad = None if indent is None else ' ' * indent
    return text_of(obj, pad, '\n', ensure_ascii, sort_keys, [])


def number_text(number):
    if math.isfinite(number):
        return repr(number)
    return 'NaN' if math.isnan(number) else 'Infinity' if number > 0 else '-Infinity'


def text_of(obj, pad, line, ensure_ascii, sort_keys, outer):
    if obj is None or isinstance(obj, bool):
        return {None: 'null', True: 'true', False: 'false'}[obj]
    if isinstance(obj, int):
        return repr(obj)
    if isinstance(obj, float):
        return number_text(obj)
    if isinstance(obj, str):
        return json_text(obj, ensure_ascii)
    if not isinstance(obj, (dict, list, tuple)):
        fail('type', f'Object of type {type(obj).__name__} is not JSON serializable')
    if any(obj is other for other in outer):
        raise ValueError('Circular reference detected')
    inner = line if pad is None else line + pad
    parts = []
    if isinstance(obj, dict):
        for key in sorted(obj) if sort_keys else obj:
            value = text_of(obj[key], pad, inner, ensure_ascii, sort_keys, [*outer, obj])
            parts.append(f'{key_text(key, ensure_ascii)}: {value}')
    else:
        parts = [text_of(item, pad, inner, ensure_ascii, sort_keys, [*outer, obj]) for item in obj]
    opening, closing = '{}' if isinstance(obj, dict) else '[]'
    if not parts or pad is None:
        return opening + ', '.join(parts) + closing
    return opening + inner + f',{inner}'.join(parts) + line + closing


def key_text(key, ensure_ascii):
    if isinstance(key, str):
        return json_text(key, ensure_ascii)
    if key is not None and not isinstance(key, (int, float)):
        fail('type', f'keys must be str, int, float, bool or None, not {type(key).__name__}')
    return '"' + text_of(key, None, '', ensure_ascii, False, []) + '"'
