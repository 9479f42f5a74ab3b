#!/usr/bin/env python3
"""Compares the modules of the package that each target imports with those that its manifest names.

The compiler finds a module that is not named where another target happened to be built before it, and nowhere else."""
import json
import os
import pathlib
import re
import subprocess
import sys

IMPORT = re.compile(r"^ *(?:@\w+(?:\(\w+\))? |\w+ )*import (?:(?:struct|enum|class|func) )?(\w+)", re.MULTILINE)


def imported(folder, modules):
    """The modules that the files of a folder import, each with one of these files."""
    return {
        module: path for path in sorted(folder.rglob("*.swift")) if ".docc/" not in str(path)
        for module in IMPORT.findall(path.read_text()) if module in modules}


def main():
    os.chdir(pathlib.Path(__file__).parent.parent.parent)
    targets = json.loads(subprocess.check_output(["swift", "package", "dump-package"]))["targets"]
    # A test of a program names it as a dependency, and imports nothing.
    modules = {target["name"] for target in targets if target["type"] in ("regular", "system")}
    problems = []
    for target in targets:
        name = target["name"]
        folder = target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}"
        named = {dependency for kind in target["dependencies"] for dependency, *_ in kind.values()} & modules
        if not any(pathlib.Path(folder).rglob("*.swift")):
            continue
        files = imported(pathlib.Path(folder), modules - {name})
        problems += [f"{files[module]}: imports {module}, which {name} does not name in Package.swift"
                     for module in files.keys() - named]
        problems += [f"Package.swift: {name} names {module}, which none of its files imports"
                     for module in named - files.keys()]
    sys.exit("\n".join(sorted(problems)) or 0)


main()
