"""Copies the licence texts of the crates that `cargo metadata` names on standard input into the folder of the first argument."""

import json
import pathlib
import shutil
import sys

out = pathlib.Path(sys.argv[1])
found = json.load(sys.stdin)
packages = {package["id"]: package for package in found["packages"]}
nodes = {node["id"]: node for node in found["resolve"]["nodes"]}

# What the program is made of: normal dependencies, from the binary on.
start = next(package["id"] for package in found["packages"] if package["name"] == "gcn-timings")
wanted, left = set(), [start]
while left:
    current = left.pop()
    if current in wanted:
        continue
    wanted.add(current)
    for dependency in nodes[current]["deps"]:
        if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
            left.append(dependency["pkg"])

lines = []
for package in sorted((packages[name] for name in wanted), key=lambda package: package["name"]):
    if package["source"] is None:
        continue
    folder = pathlib.Path(package["manifest_path"]).parent
    texts = [path for path in folder.iterdir() if path.is_file() and path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"))]
    for text in texts:
        target = out / f"{package['name']}-{package['version']}" / text.name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(text, target)
    lines.append(f"{package['name']} {package['version']}: {package['license']}{'' if texts else ' (the crate ships no text)'}\n")
(out / "crates.txt").write_text("".join(lines))
