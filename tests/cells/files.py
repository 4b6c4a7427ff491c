# Files that a program writes: they are in memory and end with the run.
import io
import json
import os
import pickle
import shutil
from pathlib import Path
import torch
shutil.rmtree('/tmp/of-cells', ignore_errors=True)

# case: written and read
os.makedirs('/tmp/of-cells/a', exist_ok=True)
path = os.path.join('/tmp/of-cells', 'a', 'x.txt')
with open(path, 'w') as f:
    print(f.write('one\n'), f.closed, f.name == path)  # expect: 4 False True
    f.writelines(['two\n', 'three'])
    print('', 4, file=f)
with open(path, 'a', encoding='utf-8') as f:
    f.write('é')
print(open(path).read().split('\n'), os.path.getsize(path))  # expect: ['one', 'two', 'three 4', 'é'] 18
with open(path) as f:
    print(f.readline(), [line.strip() for line in f], f.read() == '')
# expect: one
# expect:  ['two', 'three 4', 'é'] True
print(open(path, 'rb').read(), os.path.exists(path), os.path.isdir('/tmp/of-cells/a'), os.path.isfile('/tmp/of-cells/a'))  # expect: b'one\ntwo\nthree 4\n\xc3\xa9' True True False
try:
    os.makedirs('/tmp/of-cells/a')
except FileExistsError as error:
    print(error)  # expect: [Errno 17] File exists: '/tmp/of-cells/a'
try:
    open(path, 'x')
except FileExistsError:
    print('there')  # expect: there
os.remove(path)
print(os.path.exists(path), os.path.exists('/tmp/of-cells'))  # expect: False True
try:
    os.remove(path)
except FileNotFoundError as error:
    print(error)  # expect: [Errno 2] No such file or directory: '/tmp/of-cells/a/x.txt'
open(path, 'w').read()  # expect error[UnsupportedOperation]

# case: data
os.makedirs('/tmp/of-cells')
with open('/tmp/of-cells/c.json', 'w') as f:
    json.dump({'dim': 8, 'names': ['a', 'b']}, f, indent=2)
with open('/tmp/of-cells/c.json') as f:
    print(json.load(f))  # expect: {'dim': 8, 'names': ['a', 'b']}
with open('/tmp/of-cells/p.pkl', 'wb') as f:
    pickle.dump([1, (2, 3)], f)
    pickle.dump('more', f)
with open('/tmp/of-cells/p.pkl', 'rb') as f:
    print(pickle.load(f), pickle.load(f))  # expect: [1, (2, 3)] more
    try:
        pickle.load(f)
    except EOFError:
        print('end')  # expect: end

# case: models
os.makedirs('/tmp/of-cells')
torch.manual_seed(0)
model = torch.nn.Linear(2, 1)
torch.save({'model': model.state_dict(), 'epoch': 3}, '/tmp/of-cells/m.pt')
before = model.weight.clone()
with torch.no_grad():
    model.weight.zero_()
saved = torch.load('/tmp/of-cells/m.pt', map_location='cpu')
print(model.load_state_dict(saved['model']), saved['epoch'], torch.equal(model.weight, before))  # expect: <All keys matched successfully> 3 True
torch.save([model], Path('/tmp/of-cells') / 'm2.pt')
print(torch.load(Path('/tmp/of-cells/m2.pt'))[0])  # expect: Linear(in_features=2, out_features=1, bias=True)
buffer = io.BytesIO()
torch.save(torch.arange(3), buffer)
buffer.seek(0)
print(torch.load(buffer))  # expect: tensor([0, 1, 2])

# case: texts in memory
out = io.StringIO()
print('a', 1, file=out)
out.write('b')
print(repr(out.getvalue()), io.StringIO('x\ny').readlines(), io.BytesIO(b'ab').read(1))  # expect: 'a 1\nb' ['x\n', 'y'] b'a'

# case: paths
p = Path('/tmp/of-cells') / 'd' / 'notes.tar.gz'
print(p, repr(p), p.name, p.stem, p.suffix, p.parent, p.parts)  # expect: /tmp/of-cells/d/notes.tar.gz PosixPath('/tmp/of-cells/d/notes.tar.gz') notes.tar.gz notes.tar .gz /tmp/of-cells/d ('/', 'tmp', 'of-cells', 'd', 'notes.tar.gz')
p.parent.mkdir(parents=True, exist_ok=True)
print(p.write_text('hi'), p.read_text(), p.exists(), p.parent.is_dir(), p.with_suffix('.zip').name, os.path.basename(p))  # expect: 2 hi True True notes.tar.zip notes.tar.gz
with p.open() as f:
    print(f.read(), Path('a') / 'b' == Path('a/b'), str(Path('a', './b')), Path('b') < Path('c'))  # expect: hi True a/b True
p.unlink()
print(p.exists(), f'{Path("x.txt")}')  # expect: False x.txt

# case: a copy by way of bytes
import pickle
import torch
x = {'a': torch.arange(3), 'b': [1, 2]}
y = pickle.loads(pickle.dumps(x, protocol=4))
y['a'][0] = 9
print(x, y)
# expect: {'a': tensor([0, 1, 2]), 'b': [1, 2]} {'a': tensor([9, 1, 2]), 'b': [1, 2]}
