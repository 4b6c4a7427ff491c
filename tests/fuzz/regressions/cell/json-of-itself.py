import json
x = []
x.append({1: x})
json.dumps(x)
