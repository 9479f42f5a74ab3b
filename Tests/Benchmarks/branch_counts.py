"""Prints how often each part of the code of a program runs, on live reports, replays and the reports of
`--report`, for the compiler.

The program has to be built to count that. The second argument is LLVM's tool for profiles.
"""

import os
import re
import subprocess
import sys
import tempfile

import workload

# A live report counts like so many of a replay: there are fewer of them, and each is waited for.
LIVE_REPORTS, LIVE_WEIGHT = 2000, 20
FORMATS = ["csv", "json", "text", "gpx", "geojson", "geojsonseq", "owntracks", "influx", "signalk", "nmea"]


def main():
    program, tool = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        weights = []

        def count(weight):
            path = f"{folder}/{len(weights)}.profraw"
            os.environ["LLVM_PROFILE_FILE"] = path
            weights.append(f"--weighted-input={weight},{path}")

        count(LIVE_WEIGHT)
        workload.follow([program], LIVE_REPORTS)
        for arguments in workload.replays(folder, FORMATS):
            count(1)
            workload.replay([program], arguments)
        # Counts of zero say nothing that is worth two megabytes.
        merged = subprocess.run(
            [tool, "merge", "--text", "--sparse", "--output=-", *weights], check=True,
            capture_output=True, text=True).stdout
    # The tool takes a `$` after the counts for the number of bytes of a bitmap, and Swift's names begin
    # with it: so each function gets a bitmap, of no bytes.
    print(re.sub(r"(?<=# Counter Values:\n)((\d+\n)+)", r"\1$0\n", merged), end="")


if __name__ == "__main__":
    main()
