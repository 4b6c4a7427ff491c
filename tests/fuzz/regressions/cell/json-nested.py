import json
json.loads("[" * 50000 + "]" * 50000)
