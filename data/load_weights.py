# Puts the numbers of a file into layers, at the lines where the lesson binds their names.
WEIGHTS = {}  # "fc_q.weight": its numbers


def _parameters(name, value):
    if isinstance(value, torch.nn.Module):
        return {name + "." + key: tensor for key, tensor in value.state_dict().items()}
    if isinstance(value, torch.nn.Parameter):
        return {name: value}
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    return {key: tensor for place, item in items for key, tensor in _parameters(f"{name}.{place}", item).items()}


def _load_weights(**named):
    with torch.no_grad():
        for name, value in named.items():
            for key, tensor in _parameters(name, value).items():
                if key in WEIGHTS:
                    tensor.copy_(WEIGHTS[key])
