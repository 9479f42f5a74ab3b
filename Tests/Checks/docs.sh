#!/bin/sh
# Builds the documentation of the modules that users import into .docs. A warning is an error.
# Usage: docs.sh DIRECTORY-OF-THE-BUILD
set -eu
cd "$(dirname "$0")/../.."
build=$(readlink -f "$1")
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
target=$(swift -print-target-info | sed -n 's/.*"unversionedTriple" *: *"\(.*\)".*/\1/p')
rm -rf .docs
dependencies=
archives=
for module in LocationCore GPSDLocation LibGPS VirtualTime LocationTestKit GPSDTestKit; do
  graphs=.docs/symbols/$module
  archive=.docs/$module.doccarchive
  mkdir -p "$graphs"
  swift symbolgraph-extract -module-name "$module" -target "$target" -I "$build/Modules" \
    -Xcc "-fmodule-map-file=Sources/CGPS/module.modulemap" \
    -Xcc "-fmodule-map-file=Sources/CZlib/module.modulemap" \
    -Xcc "-fmodule-map-file=$build/CGPSShims.build/module.modulemap" \
    -Xcc "-fmodule-map-file=$build/CVirtualTime.build/module.modulemap" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols \
    -output-dir "$graphs"
  # The arguments of earlier modules are words without spaces.
  "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --enable-experimental-external-link-support $dependencies \
    --warnings-as-errors --output-path "$archive"
  dependencies="$dependencies --dependency $archive"
  archives="$archives $archive"
done
"$docc" merge $archives --synthesized-landing-page-name locwatch \
  --output-path .docs/locwatch.doccarchive
echo "The documentation is in .docs/locwatch.doccarchive. To open it:"
echo "  python3 -m http.server -d .docs/locwatch.doccarchive 8000"
echo "  http://localhost:8000/documentation"
