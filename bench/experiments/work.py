"""What Figures 7 and 9 share: the router behind a WorkPackage of any S, N and W."""
import os

import common

MEMORY = [0, 1, 2, 4, 8, 12, 16, 20]  # S, in MB: the paper's range, closer where caches end


def bench(arguments, points, plans, *more):
    """Rows of `packetmill bench` by (point, plan), for points (S, N, W): all of them in the rounds of one call."""
    with open(os.path.join(common.HERE, "work-router.click"), encoding="ascii") as file:
        router = file.read()
    default = "define($S 4, $N 1, $W 4)"
    assert default in router
    names = {point: "S{}-N{}-W{}".format(*point) for point in points}
    texts = {name: router.replace(default, "define($S {}, $N {}, $W {})".format(*point))
             for point, name in names.items()}
    with common.scratch(**texts) as directory:
        files = {point: os.path.join(directory, f"{name}.click") for point, name in names.items()}
        found = common.bench(arguments, files.values(), plans, *more)
        return {(point, plan): found[file, plan] for point, file in files.items() for plan in plans}
