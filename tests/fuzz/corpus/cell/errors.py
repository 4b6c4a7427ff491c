try:
    [1][5]
except (IndexError, KeyError) as e:
    print(type(e).__name__, e)
finally:
    print("end")
with torch.no_grad():
    raise ValueError("bad") from None
