"""nn.Transformer, its encoder and its decoder, made of the other layers."""
from copy import deepcopy

import torch
from torch import nn
from torch.nn import functional as F


def check_padding(mask):
    if isinstance(mask, torch.Tensor) and mask.dtype != torch.bool and not mask.is_floating_point():
        fail('assertion', 'only bool and floating types of key_padding_mask are supported')


class TransformerEncoderLayer:
    def __init__(self, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                 device, dtype):
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first)
        self.linear1 = nn.Linear(d_model, dim_feedforward)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model)
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, eps=layer_norm_eps)
        self.norm2 = nn.LayerNorm(d_model, eps=layer_norm_eps)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.activation = activation_of(activation)

    def forward(self, src, src_mask=None, src_key_padding_mask=None):
        check_padding(src_key_padding_mask)
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask):
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)[0]
        return self.dropout1(x)

    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def activation_of(activation):
    if not isinstance(activation, str):
        return activation
    if activation not in ('relu', 'gelu'):
        fail('shape', f'activation should be relu/gelu, not {activation}')
    return F.relu if activation == 'relu' else F.gelu


class TransformerEncoder:
    def __init__(self, encoder_layer, num_layers, norm, enable_nested_tensor, mask_check):
        if not isinstance(encoder_layer, nn.Module):
            fail('type', f'{typename(encoder_layer)} is not a Module subclass')
        self.layers = nn.ModuleList([deepcopy(encoder_layer) for i in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check

    def forward(self, src, mask=None, src_key_padding_mask=None):
        check_padding(src_key_padding_mask)
        drops = drops_padding(self, src, mask, src_key_padding_mask)
        x = src
        for layer in self.layers:
            x = layer(x, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        if drops:
            x = without_padding(x, src_key_padding_mask)
        return x if self.norm is None else self.norm(x)


def drops_padding(encoder, src, mask, padding):
    """In evaluation without gradients PyTorch computes only what is not padding: the result then has zeros there, and
    is as long as the longest sentence."""
    layer = encoder.layers[0] if len(encoder.layers) else None
    if type(layer) is not nn.TransformerEncoderLayer or layer.norm_first or layer.training or mask is not None:
        return False
    if not isinstance(src, torch.Tensor) or src.dim() != 3 or padding is None or padding.dim() != 2:
        return False
    attention = layer.self_attn
    name = getattr(layer.activation, '__name__', type(layer.activation).__name__)
    if name not in ('relu', 'gelu', 'ReLU', 'GELU'):
        return False
    if not encoder.enable_nested_tensor or not attention.batch_first or attention.num_heads % 2:
        return False
    if encoder.mask_check and any(row != sorted(row) for row in hidden_words(padding)):
        return False
    wants_grad = src.requires_grad or any(p.requires_grad for p in layer.parameters())
    return not (wants_grad and torch.is_grad_enabled())


def hidden_words(padding):
    return [[value != 0 for value in row] for row in padding.tolist()]


def without_padding(x, padding):
    length = max([len(row) - row[::-1].index(False) for row in hidden_words(padding) if False in row], default=0)
    hidden = padding.unsqueeze(-1)
    if hidden.dtype != torch.bool:
        hidden = hidden.ne(0)
    return x.masked_fill(hidden, 0.0).narrow(1, 0, length)


class TransformerDecoderLayer:
    def __init__(self, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                 device, dtype):
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first)
        self.multihead_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first)
        self.linear1 = nn.Linear(d_model, dim_feedforward)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model)
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, eps=layer_norm_eps)
        self.norm2 = nn.LayerNorm(d_model, eps=layer_norm_eps)
        self.norm3 = nn.LayerNorm(d_model, eps=layer_norm_eps)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)
        self.activation = activation_of(activation)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None):
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask, tgt_key_padding_mask)
            x = x + self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(x + self._ff_block(x))

    _sa_block = TransformerEncoderLayer._sa_block

    def _mha_block(self, x, mem, attn_mask, key_padding_mask):
        x = self.multihead_attn(x, mem, mem, attn_mask=attn_mask, key_padding_mask=key_padding_mask,
                                need_weights=False)[0]
        return self.dropout2(x)

    def _ff_block(self, x):
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoder:
    def __init__(self, decoder_layer, num_layers, norm):
        if not isinstance(decoder_layer, nn.Module):
            fail('type', f'{typename(decoder_layer)} is not a Module subclass')
        self.layers = nn.ModuleList([deepcopy(decoder_layer) for i in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None):
        x = tgt
        for layer in self.layers:
            x = layer(x, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                      tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
        return x if self.norm is None else self.norm(x)


class Transformer:
    def __init__(self, d_model, nhead, num_encoder_layers, num_decoder_layers, dim_feedforward, dropout, activation,
                 custom_encoder, custom_decoder, layer_norm_eps, batch_first, norm_first, device, dtype):
        sizes = d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(*sizes), num_encoder_layers,
                                                 nn.LayerNorm(d_model, eps=layer_norm_eps))
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(*sizes), num_decoder_layers,
                                                 nn.LayerNorm(d_model, eps=layer_norm_eps))
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
                tgt_key_padding_mask=None, memory_key_padding_mask=None):
        batch = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch) != tgt.size(batch):
            fail('shape', 'the batch number of src and tgt must be equal')
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            fail('shape', 'the feature number of src and tgt must be equal to d_model')
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                            tgt_key_padding_mask=tgt_key_padding_mask,
                            memory_key_padding_mask=memory_key_padding_mask)

    @staticmethod
    def generate_square_subsequent_mask(sz, device='cpu'):
        return torch.triu(torch.full((sz, sz), float('-inf')), diagonal=1)
