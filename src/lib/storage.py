"""What Tensor.storage() gives: all numbers of a storage in a row, which are those of every tensor that shares it."""


class TypedStorage:
    def __init__(self, numbers):
        self.numbers, self.dtype, self.device = numbers, numbers.dtype, numbers.device

    def __len__(self):
        return self.numbers.numel()

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, place):
        if isinstance(place, slice):
            return TypedStorage(self.numbers[place])
        if not -len(self) <= place < len(self):
            raise IndexError(f'index {place} out of range for storage of size {len(self)}')
        return self.numbers[place].item()

    def __setitem__(self, place, value):
        self.numbers[place] = value

    def __repr__(self):
        numbers = ''.join([f' {number}\n' for number in self])
        return f'{numbers}[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]'

    def tolist(self):
        return self.numbers.tolist()

    def size(self):
        return len(self)

    def nbytes(self):
        return len(self) * self.element_size()

    def element_size(self):
        return self.numbers.element_size()

    def data_ptr(self):
        return self.numbers.data_ptr()

    def clone(self):
        return TypedStorage(self.numbers.clone())

    def fill_(self, value):
        self.numbers.fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        self.numbers.copy_(source.numbers)
        return self
