total = 0
while True:
    total += 1
    if total > 5: break
    elif total == 3: continue
    else: pass
for i in range(3):
    total -= i
else:
    del i
assert total, "none"
total
