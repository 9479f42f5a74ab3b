import Foundation
import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// What the records of several sources are in each format.
@Suite struct `With several sources` {

  private var fix: LocationFix {
    LocationFix(
      coordinate: Coordinate(latitude: 48, longitude: 11)!, mode: .fix2D, device: "/dev/x")
  }

  /// The lines of GPX after its head, with a dot for a point.
  private func lines(ofGPX text: String) -> [String] {
    text.split(separator: "\n").dropFirst(2).map { $0.hasPrefix("<trkpt") ? "." : String($0) }
  }

  private func track(_ name: String, points: Int) -> [String] {
    ["<trk>", "<name>\(name)</name>", "<src>/dev/x</src>", "<trkseg>"]
      + Array(repeating: ".", count: points) + ["</trkseg>", "</trk>"]
  }

  @Test(arguments: [true, false])
  func `GPX in a file has the points that a live run does not keep, and at the end all tracks`(
    isReplay: Bool
  )
    throws
  {
    let path = "/tmp/locwatch-\(UUID().uuidString).gpx"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = try Options(arguments: ["-f", "gpx"], environment: [:])
    if isReplay { options.replays = [FilePath("/dev/null")] }
    var stream = StreamPresenter(
      options.style.makeRenderer(),
      to: OutputSink(try Descriptor(replacing: FilePath(path)), waitsForReader: isReplay),
      stale: nil)
    let now = Moment(uptime: .seconds(1))
    var other = fix
    other.device = "/dev/y"
    /// How many points there are in the file, which is a whole document.
    func points(after count: Int) throws -> Int {
      for _ in 0..<count { stream.present(.fix(other), at: now) }
      try stream.flush(at: now)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasSuffix("</trk>\n</gpx>\n"))
      return text.split(separator: "<trkpt").count - 1
    }
    stream.begin(at: now)
    stream.present(.fix(fix), at: now)
    // A point has 51 bytes.
    #expect(try points(after: 321) == 1)
    #expect(try points(after: 1) == (isReplay ? 1 : 323))
    stream.present(.fix(fix), at: now)
    #expect(try points(after: 0) == (isReplay ? 2 : 323))
    try stream.finish(waitsForReader: true)
    #expect(try points(after: 0) == 324)
  }
}
