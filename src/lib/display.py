"""IPython.display: what a notebook shows between its lines, as text; a picture or a page is its name."""


def display(*objs, **settings):
    for shown in objs:
        print(shown.text if isinstance(shown, Rich) and shown.text is not None else repr(shown))


def clear_output(wait=False):
    """What was printed stays: a transcript is read from its beginning."""


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
