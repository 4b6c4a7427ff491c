import torch
from transformers import BertModel
m = BertModel.from_pretrained('bert-base-uncased')
