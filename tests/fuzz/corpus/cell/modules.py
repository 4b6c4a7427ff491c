import random, collections
from dataclasses import dataclass
@dataclass
class C:
    n: int = 2
print(C(), collections.Counter("aab"), math.floor(-2.5), random.Random)
