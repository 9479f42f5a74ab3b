#!/usr/bin/env python3
"""Compiles the libraries that need no Linux for Apple's systems, in the oldest versions that the manifest names, and
for Linux with Musl, down to where the compiler knows of each function whether the system has it. No SDK is needed:
the standard library is compiled for them from the interface that the toolchain has for Linux, and Platforms has
the declarations of the C functions that are used.

Usage: platforms.py FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys

CHECKS = pathlib.Path(__file__).resolve().parent
ROOT = CHECKS.parent.parent
# In the order in which they depend on each other.
LIBRARIES = ['LocationCore', 'GPSDProtocol', 'GPSDLocation', 'VirtualTime', 'LocationTestKit', 'GPSDTestKit']
STANDARD_LIBRARY = ['Swift', 'SwiftOnoneSupport', '_Concurrency', 'Synchronization', 'Observation']


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def targets(manifest, arch):
    """The names of the platforms, and for each what the compiler calls it."""
    versions = {each['platformName']: each['version'] for each in manifest['platforms']}
    return {
        f'macOS {versions["macos"]}': f'{arch}-apple-macosx{versions["macos"]}',
        f'iOS {versions["ios"]}': f'{arch}-apple-ios{versions["ios"]}-simulator',
        f'tvOS {versions["tvos"]}': f'{arch}-apple-tvos{versions["tvos"]}-simulator',
        f'watchOS {versions["watchos"]}': f'{arch}-apple-watchos{versions["watchos"]}-simulator',
        'Linux with Musl': f'{arch}-swift-linux-musl',
    }


def compile(resources, folder, triple, module, *arguments):
    """Compiles a module; returns the errors, if there are any."""
    headers = [CHECKS / 'Platforms/Apple']
    if triple.endswith('musl'):
        # The shims of the standard library include Linux headers: the local ones will do.
        headers = [CHECKS / 'Platforms/Musl', f'/usr/include/{triple.split("-")[0]}-linux-gnu']
    run = subprocess.run(
        ['swiftc', '-frontend', '-target', triple, '-module-name', module, '-resource-dir', resources,
         '-plugin-path', f'{resources}/host/plugins', *(f'-I{each}' for each in [folder, *headers]),
         # Apple's own standard library has what Objective-C needs; this one does not.
         '-disable-objc-interop', *arguments],
        capture_output=True, text=True)
    if run.returncode == 0:
        return None
    errors = re.findall(r'^\S.*error: .*$', run.stderr, re.M)
    return '\n'.join(errors) or run.stderr


def compile_standard_library(folder, triple, resources, arch):
    for module in STANDARD_LIBRARY:
        library = pathlib.Path(resources, 'linux', f'{module}.swiftmodule')
        interface = next(library.glob(f'{arch}*.private.swiftinterface')).read_text()
        interface = re.sub(r'-target \S+', f'-target {triple}', interface)
        # Functions for older systems have no bodies in an interface of Linux.
        interface = re.sub(r'^ *@backDeployed.*\n', '', interface, flags=re.M)
        interface = interface.replace('-target-min-inlining-version min', '').replace('-library-level api', '')
        c_library = 'Musl' if triple.endswith('musl') else 'Darwin'
        interface = re.sub(r'^import Glibc$', f'import {c_library}', interface, flags=re.M)
        source = folder / f'{module}.swiftinterface'
        source.write_text(interface)
        errors = compile(
            resources, folder, triple, module, '-compile-module-from-interface', *(['-parse-stdlib'] if module == 'Swift' else []),
            '-o', folder / f'{module}.swiftmodule', source)
        if errors:
            sys.exit(f'error: {module} for {triple}:\n{errors}')


def compile_declarations(folder, triple, resources, module, source):
    """Compiles a file with the declarations of a system's module that are used."""
    errors = compile(
        resources, folder, triple, module, '-parse-as-library', '-swift-version', '6', '-emit-sil', '-o', '/dev/null',
        '-emit-module-path', folder / f'{module}.swiftmodule', CHECKS / 'Platforms' / source)
    if errors:
        sys.exit(f'error: {module} for {triple}:\n{errors}')


def main(folder):
    info = json.loads(output('swiftc', '-print-target-info'))
    resources = info['paths']['runtimeResourcePath']
    arch = info['target']['arch']
    manifest = json.loads(output('swift', 'package', '--package-path', ROOT, 'dump-package'))
    features = {
        setting['kind']['enableUpcomingFeature']['_0']
        for target in manifest['targets'] for setting in target['settings']
        if 'enableUpcomingFeature' in setting['kind']
    }
    options = ['-swift-version', '6', '-package-name', 'locwatch', '-parse-as-library']
    for feature in sorted(features):
        options += ['-enable-upcoming-feature', feature]
    failed = False
    for name, triple in targets(manifest, arch).items():
        modules = pathlib.Path(folder, triple)
        modules.mkdir(parents=True, exist_ok=True)
        compile_standard_library(modules, triple, resources, arch)
        compile_declarations(modules, triple, resources, 'Dispatch', 'Dispatch.swift')
        compile_declarations(modules, triple, resources, '_StringProcessing', 'StringProcessing.swift')
        if not triple.endswith('musl'):
            compile_declarations(modules, triple, resources, 'CoreLocation', 'Apple/CoreLocation.swift')
        for library in LIBRARIES:
            sources = sorted((ROOT / 'Sources' / library).rglob('*.swift'))
            # The module of regular expressions is larger than the program, so only a library for tests has it.
            without = [] if library == 'VirtualTime' else ['-disable-implicit-string-processing-module-import']
            errors = compile(
                resources, modules, triple, library, *options, *without, '-emit-sil', '-o', '/dev/null',
                '-emit-module-path', modules / f'{library}.swiftmodule', *sources)
            if errors:
                print(f'error: {library} for {name}:\n{errors}', file=sys.stderr)
                failed = True
                break
        else:
            # The code of an article that only these systems can run.
            snippet = ROOT / 'Tests/DocumentationTests/Snippets/CoreLocationUpdates.swift'
            errors = compile(resources, modules, triple, 'Snippet', *options, '-typecheck', snippet)
            if errors:
                print(f'error: {snippet.name} for {name}:\n{errors}', file=sys.stderr)
                failed = True
            print(f'{name}: {len(LIBRARIES)} libraries compiled')
    print('skipped: visionOS, whose versions only an SDK knows')
    sys.exit(failed)


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
