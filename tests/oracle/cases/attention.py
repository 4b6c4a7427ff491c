F.scaled_dot_product_attention(torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6))
F.scaled_dot_product_attention(torch.randn(1, 2, 4, 8), torch.randn(1, 2, 4, 8), torch.randn(1, 2, 4, 8), is_causal=True)
F.scaled_dot_product_attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 4), attn_mask=torch.rand(3, 5) > 0.3)
F.scaled_dot_product_attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 4), attn_mask=torch.randn(3, 5), scale=0.1)
F.scaled_dot_product_attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 4), attn_mask=torch.zeros(3, 5, dtype=torch.bool))
F.scaled_dot_product_attention(torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6), dropout_p=0.5)
F.scaled_dot_product_attention(torch.randn(1, 2, 520, 8), torch.randn(1, 2, 600, 8), torch.randn(1, 2, 600, 6))[:, :, ::97]
F.scaled_dot_product_attention(torch.randn(2, 520, 8) * 3, torch.randn(2, 600, 8) * 3, torch.randn(2, 600, 6), is_causal=True)[:, ::59]
F.scaled_dot_product_attention(torch.randn(600, 8), torch.randn(520, 8), torch.randn(520, 6), is_causal=True, scale=2.0)[::59]
F.scaled_dot_product_attention(torch.randn(520, 8), torch.randn(600, 8), torch.randn(600, 6), attn_mask=torch.rand(600) > 0.7)[::59]
F.scaled_dot_product_attention(torch.randn(2, 520, 8), torch.randn(2, 600, 8), torch.randn(2, 600, 6), attn_mask=torch.randn(2, 520, 1) + torch.randn(600))[:, ::97]
F.scaled_dot_product_attention(torch.randn(520, 8), torch.randn(600, 8), torch.randn(600, 6), attn_mask=torch.arange(600) < torch.arange(520)[:, None])[:300:59]
F.scaled_dot_product_attention(torch.randn(520, 3, 8).transpose(0, 1), torch.randn(8, 600).t().expand(3, 600, 8), torch.randn(3, 6, 600).transpose(1, 2))[:, ::97]
torch.softmax(torch.randn(3, 1000) * 9, dim=-1)[:, ::101]
torch.softmax(torch.randn(2, 256).masked_fill(torch.arange(256) > 130, float("-inf")), dim=-1)[:, ::13]
torch.softmax(torch.full((2, 300), float("-inf")), dim=-1)[:, ::50]
(torch.randn(130, 100) @ torch.randn(100, 170))[::33, ::41]
(torch.randn(170, 130).t() @ torch.randn(90, 170).t())[::33, ::21]
F.linear(torch.randn(2, 100, 64), torch.randn(96, 64), torch.randn(96))[:, ::33, ::21]
