"""Abstract classes. That one of them cannot be made is not checked."""


class ABC:
    pass


class ABCMeta:
    pass


def abstractmethod(funcobj):
    return funcobj
