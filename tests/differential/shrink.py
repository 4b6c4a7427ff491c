"""Makes a program shorter as long as it still shows the disagreement."""

import ast


def without(tree, index):
    return [node for position, node in enumerate(tree) if position != index]


def source(nodes):
    return "\n".join(ast.unparse(node) for node in nodes) + "\n"


def shrunk(code, still_differs):
    """The code with as few of its top-level statements as show the same verdict."""
    try:
        nodes = ast.parse(code).body
    except SyntaxError:
        return code
    if not still_differs(source(nodes)):
        return code
    index = len(nodes) - 1
    while index >= 0:
        shorter = without(nodes, index)
        is_seed = "manual_seed" in ast.unparse(nodes[index])  # without it every random number differs
        if shorter and not is_seed and still_differs(source(shorter)):
            nodes = shorter
        index -= 1
    return source(nodes)
