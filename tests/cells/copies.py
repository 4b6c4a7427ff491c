# copy.copy() and copy.deepcopy(): what is shared afterwards and what is not.
import copy
import torch
import torch.nn as nn


class Box:
    def __init__(self, inside):
        self.inside = inside


# case: a shallow copy of a container shares its items
row = [1, 2]
for value in ([row], {"a": row}, (row, 3), {1, 2}):
    print(type(value).__name__, copy.copy(value) == value, copy.copy(value) is value)
# expect: list True False
# expect: dict True False
# expect: tuple True True
# expect: set True False
shallow = copy.copy([row])
row.append(3)
print(shallow)  # expect: [[1, 2, 3]]

# case: a deep copy does not
row = [1, 2]
deep = copy.deepcopy({"a": row, "b": (row, {4, 5})})
row.append(3)
print(deep["a"], deep["b"][0], deep["a"] is deep["b"][0], sorted(deep["b"][1]))  # expect: [1, 2] [1, 2] True [4, 5]

# case: an object of a class
box = Box([1])
shallow, deep = copy.copy(box), copy.deepcopy(box)
box.inside.append(2)
print(shallow.inside, deep.inside, type(deep).__name__, shallow is box)  # expect: [1, 2] [1] Box False

# case: a list that holds itself
loop = [1]
loop.append(loop)
deep = copy.deepcopy(loop)
print(deep[1] is deep, deep[1] is loop, deep[0])  # expect: True False 1

# case: a set of tuples
deep = copy.deepcopy({(1, 2), (3, 4)})
print(sorted(deep))  # expect: [(1, 2), (3, 4)]

# case: a tensor and a layer
layer = nn.Linear(2, 1)
deep = copy.deepcopy(layer)
with torch.no_grad():
    layer.weight.fill_(1.0)
    deep.weight.fill_(2.0)
print(layer.weight.tolist(), deep.weight.tolist(), deep.weight.requires_grad)  # expect: [[1.0, 1.0]] [[2.0, 2.0]] True

# case: an iterator made of __getitem__
class Squares:
    def __getitem__(self, at):
        if at > 3:
            raise IndexError
        return at * at
print(list(Squares()), sum(Squares()), 4 in Squares(), max(Squares()))  # expect: [0, 1, 4, 9] 14 True 9

# case: what __iter__ gives must be an iterator
class Odd:
    def __iter__(self):
        return 3
list(Odd())  # expect error[TypeError]: iter() returned non-iterator of type 'int'

# case: an error inside of __getitem__ comes out
class Broken:
    def __getitem__(self, at):
        raise ValueError("broken")  # expect error[ValueError]: broken
list(Broken())

# case: in reverse order by places
class Tens:
    def __init__(self, length):
        self.length = length
    def __len__(self):
        return self.length
    def __getitem__(self, at):
        return at * 10
print(list(reversed(Tens(3))), list(reversed(Tens(0))))  # expect: [20, 10, 0] []
try:
    reversed(Tens(2.5))
except TypeError as error:
    print(error)  # expect: 'float' object cannot be interpreted as an integer

# case: an array is copied with its numbers
import copy
import numpy as np
a = np.array([1., 2.])
b = copy.copy(a)
b[0] = 9
print(a, b)  # expect: [1. 2.] [9. 2.]

# case: a frozenset is its own copy
import copy
a = frozenset([1])
print(copy.copy(a) is a, copy.deepcopy({'k': a}))  # expect: True {'k': frozenset({1})}

# case: a class with __deepcopy__ and __copy__ of its own
import copy
class Shared:
    def __init__(self, name, other=None):
        self.name, self.other = name, other
    def __deepcopy__(self, memo):
        made = Shared(self.name + ' deep')
        memo[id(self)] = made
        made.other = copy.deepcopy(self.other, memo)
        return made
    def __copy__(self):
        return Shared(self.name + ' shallow', self.other)
one = Shared('one')
one.other = [one, {'self': one}]
two = copy.deepcopy([one, one])
print(two[0].name, two[0] is two[1], two[0].other[0] is two[0], two[0].other[1]['self'] is two[0])
three = copy.copy(one)
print(three.name, three.other is one.other)
# expect: one deep True True True
# expect: one shallow True
