#!/bin/sh
# Looks for what exists on one platform alone: in the libraries that work without libgps, each import of a C
# library, and each name that is qualified by its module, stands where the module can be imported, and a file with
# Glibc's has the others, apart from Darwin's where it begins with #if os(Linux).
#
#     #if canImport(Glibc)
#       import Glibc
#     #elseif canImport(Musl)
#       import Musl
#     #elseif canImport(Darwin)
#       import Darwin
#     #endif
set -eu
cd "$(dirname "$0")/../../Sources"
set -- LocationCore GPSDProtocol GPSDLocation VirtualTime VirtualTimeTesting LocationTestKit GPSDTestKit
for module in Musl Darwin; do
  lacking=$(grep -r -l 'canImport(Glibc)' "$@" | xargs grep -L "canImport($module)" || true)
  [ "$module" = Musl ] || lacking=$(for file in $lacking; do head -n 1 "$file" | grep -q '^#if os(Linux)$' || echo "$file"; done)
  [ -z "$lacking" ] || { echo "no canImport($module):" "$lacking" >&2; exit 1; }
done
find "$@" -name '*.swift' -exec awk '
  FNR == 1 { guard = "" }
  $1 == "#if" || $1 == "#elseif" { guard = $0 }
  $1 == "#else" || $1 == "#endif" { guard = "" }
  match($0, /^ *([a-z@_]+ +)*import +(Glibc|Musl|Darwin|Dispatch)( |$)/) {
    module = $0
    sub(/^.*import +/, "", module)
    sub(/ .*$/, "", module)
    if (!index(guard, "canImport(" module ")")) {
      printf "%s:%d: import %s outside #if canImport(%s)\n", FILENAME, FNR, module, module
      found = 1
    }
  }
  $1 !~ /^\/\// && match($0, /(^|[^A-Za-z0-9_.`])(Glibc|Musl|Darwin)\./) {
    module = substr($0, RSTART, RLENGTH - 1)
    sub(/^[^A-Za-z]/, "", module)
    if (!index(guard, "canImport(" module ")")) {
      printf "%s:%d: %s. outside #if canImport(%s)\n", FILENAME, FNR, module, module
      found = 1
    }
  }
  END { exit found }' {} + >&2
