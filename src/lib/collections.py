"""collections.namedtuple; `row(type, names, values)` makes a tuple that shows them."""


def namedtuple(typename, field_names):
    names = field_names.replace(',', ' ').split() if isinstance(field_names, str) else [str(n) for n in field_names]

    def make(*given, **named):
        where = f'{typename}.__new__()'
        if len(given) > len(names):
            fail('type', f'{where} takes {len(names) + 1} positional arguments but {len(given) + 1} were given')
        rest = names[len(given):]
        for name in named:
            if name not in rest:
                fail('type', f"{where} got an unexpected keyword argument '{name}'")
        missing = [repr(name) for name in rest if name not in named]
        if missing:
            plural = 's' if len(missing) > 1 else ''
            fail('type', f"{where} missing {len(missing)} required positional argument{plural}: {', '.join(missing)}")
        return row(typename, names, [*given, *[named[name] for name in rest]])

    return builtin(typename, make)
