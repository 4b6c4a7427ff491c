"""Abstract classes."""


class ABCMeta:
    def __call__(cls, *args, **kwargs):
        missing = [name for name in sorted(dir(cls)) if getattr(getattr(cls, name), '__isabstractmethod__', False)]
        if missing:
            raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract method"
                            f"{'s'[:len(missing) - 1]} {', '.join(missing)}")
        return new_object(cls, args, kwargs)


class ABC(metaclass=ABCMeta):
    pass


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj
