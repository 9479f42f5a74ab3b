import Foundation
import GPSDProtocol
import LocationCore
import ReceiverRecordings
import TestSupport
import Testing

/// Fault 27.
@Suite(.enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"))
struct `Every recording` {
  /// Python's `json` reads numbers by strtod. It prints each line as ``text(of:in:)`` does.
  private static let reader = """
    import calendar, json, struct, sys
    tables = {name: fields.split(",") for name, fields in (a.split("=") for a in sys.argv[2:])}
    def bits(value):
        return "-" if value is None else struct.pack(">d", value).hex()
    def nanoseconds(text):
        if text is None: return "-"
        whole, _, fraction = text[:-1].partition(".")
        date, _, time = whole.partition("T")
        parts = [int(p) for p in date.split("-") + time.split(":")]
        return str(calendar.timegm(parts) * 10**9 + int(fraction.ljust(9, "0")[:9]))
    for path in open(sys.argv[1]).read().splitlines():
        for line in open(path, "rb"):
            report = json.loads(line)
            kind = report["class"]
            fields = tables.get(kind)
            words = [kind]
            # gpsd passes on the raw number of a compass: no direction has as many degrees.
            if kind == "ATT" and report.get("heading", 0) > 360:
                del report["heading"]
            if fields:
                words += [report.get("device", "-"), nanoseconds(report.get("time"))]
                # gpsd 3.25 writes 999.9 for an unknown variation, and adds it to the course.
                if not 0 <= report.get("magtrack", 0) <= 360: del report["magtrack"]
                if not -180 <= report.get("magvar", 0) <= 180: del report["magvar"]
                words += [bits(report.get(name)) for name in fields]
            for sat in report.get("satellites", []) if kind == "SKY" else []:
                words += [str(sat[k]) if k in sat else "-" for k in ("PRN", "gnssid", "svid")]
                # By gps.h a strength is 0 to 254; -1 and 255 stand for "not available".
                sat = {k: v for k, v in sat.items() if k != "ss" or 0 <= v <= 254}
                words += [bits(sat.get(k)) for k in ("el", "az", "ss")]
                words += [bits(sat.get(k)) for k in ("pr", "prRate", "prRes")]
                words += [str(sat["used"])]
                words += [str(sat.get(k, "-")) for k in ("health", "freqid", "qual")]
            print(" ".join(words))
    """

  @Test func `gives the numbers of a second reader, bit for bit`() throws {
    let list = try TemporaryFile(Recordings.files.map(\.path).joined(separator: "\n"))
    let expected = try python(arguments: [
      list.path,
      "TPV=mode,lat,lon," + TPV.reported.map { "\($0)" }.joined(separator: ","),
      "SKY=" + SKY.Quantity.allCases.map { "\($0)" }.joined(separator: ","),
      "GST=" + GST.Quantity.allCases.map { "\($0)" }.joined(separator: ","),
      "ATT=" + ATT.Quantity.allCases.map { "\($0)" }.joined(separator: ","),
    ])
    var decoder = GPSDDecoder()
    var count = 0
    for file in Recordings.files {
      for line in try Recordings.lines(of: file) {
        let text = text(of: decoder.report(in: line.span))
        #expect(text == (count < expected.count ? expected[count] : "nothing"))
        count += 1
      }
    }
    #expect(count == expected.count)
    #expect(decoder.droppedElements == 0)
  }

  private func python(arguments: [String]) throws -> [String] {
    let output = try ProgramOutput(of: "python3", ["-c", Self.reader] + arguments)
    #expect(output.status == 0)
    return output.text.split(separator: "\n").map(String.init)
  }

  private func text(of report: GPSDReport?) -> String {
    switch report {
    case .tpv(let tpv):
      words(
        "TPV", tpv.device, tpv.time,
        [tpv.modeNumber, tpv.lat, tpv.lon] + TPV.reported.map { tpv[$0] })
    case .sky(let sky):
      words("SKY", sky.device, sky.time, SKY.Quantity.allCases.map { sky[$0] })
        + (sky.satellites ?? []).map { " " + text(of: $0) }.joined()
    case .gst(let gst):
      words("GST", gst.device, gst.time, GST.Quantity.allCases.map { gst[$0] })
    case .att(let att):
      words("ATT", att.device, att.time, ATT.Quantity.allCases.map { att[$0] })
    case .device: "DEVICE"
    case .devices: "DEVICES"
    case .version: "VERSION"
    case .watch: "WATCH"
    case .error: "ERROR"
    case .other(let name): name
    case nil: "malformed"
    }
  }

  private func words(
    _ kind: String, _ device: String?, _ time: Timestamp?, _ numbers: [Double?]
  ) -> String {
    let time = time.map { "\($0.nanosecondsSince1970)" } ?? "-"
    return ([kind, device ?? "-", time] + numbers.map(bits)).joined(separator: " ")
  }

  private func text(of satellite: Satellite) -> String {
    let integers = [satellite.prn, satellite.gnssID, satellite.svID].map(word)
    let numbers = [
      satellite.elevation, satellite.azimuth, satellite.signalStrength, satellite.pseudorange,
      satellite.pseudorangeRate, satellite.pseudorangeResidual,
    ].map(bits)
    let used = satellite.isUsed ? "True" : "False"
    let codes = [satellite.health, satellite.freqID, satellite.trackingQuality].map(word)
    return (integers + numbers + [used] + codes).joined(separator: " ")
  }

  private func word(_ integer: Int?) -> String { integer.map(String.init) ?? "-" }

  private func bits(_ number: Double?) -> String {
    guard let number else { return "-" }
    let digits = String(number.bitPattern, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
