"""IPython.display: what a notebook shows between its lines, as text; a picture or a page is its name."""


def display(*objs, **settings):
    for shown in objs:
        print(shown.text if isinstance(shown, Rich) and shown.text is not None else repr(shown))


def clear_output(wait=False):
    """What was printed stays: a transcript is read from its beginning."""


class ZMQInteractiveShell:
    """What get_ipython() gives in a notebook. Its commands do nothing, as lines that begin with % or ! do here."""

    config = {'IPKernelApp': {}}

    def run_line_magic(self, magic_name, line, *args):
        pass

    def run_cell_magic(self, magic_name, line, cell):
        pass

    def magic(self, arg_s):
        pass

    def system(self, cmd):
        pass

    def __getattr__(self, name):
        if not name.startswith('__'):
            refuse("unsupported.name", 'name', 'get_ipython().' + name)
        raise AttributeError(f"'ZMQInteractiveShell' object has no attribute '{name}'")


def get_ipython():
    return ZMQInteractiveShell()


class Rich:
    text = None

    def __init__(self, data=None, *args, **settings):
        self.data = data

    def __repr__(self):
        return f'<IPython.core.display.{type(self).__name__} object>'


class HTML(Rich):
    pass


class Image(Rich):
    pass


class Audio(Rich):
    pass


class SVG(Rich):
    pass


class Markdown(Rich):
    def __init__(self, data=None, *args, **settings):
        super().__init__(data)
        self.text = data


class Latex(Markdown):
    pass


class Math(Markdown):
    pass
