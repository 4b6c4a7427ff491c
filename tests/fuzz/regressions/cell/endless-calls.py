total = 0
while total > 4: brotal = 0
while True:
   iq = torch.randn(0, 1, 4)  #swo 'atal A= 3: 