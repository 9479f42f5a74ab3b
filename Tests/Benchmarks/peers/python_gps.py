"""What a client written with gpsd's Python module does: next report, print."""
import sys

import gps

session = gps.gps(host="127.0.0.1", port=sys.argv[1], mode=gps.WATCH_ENABLE)
for report in session:
    if report["class"] == "TPV" and report.mode >= 2:
        print(report.lat, report.lon, flush=True)
