import json
json.dumps([[1]], indent=-9223372036854775808), json.dumps([[[1]]], indent=9223372036854775807)
