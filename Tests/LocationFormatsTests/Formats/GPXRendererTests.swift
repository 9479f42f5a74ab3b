import Foundation
import LocationCore
import LocationSamples
import TestSupport
import Testing

@testable import LocationFormats

@Suite struct GPXRendererTests {
  @Test(
    arguments: [
      (.gps, "<fix>2d</fix>"), (.dgps, "<src>dgps</src><fix>dgps</fix>"),
      (.rtkFixed, "<src>rtk-fixed</src><fix>dgps</fix>"),
      (.rtkFloat, "<src>rtk-float</src><fix>dgps</fix>"), (.pCode, "<src>py</src><fix>pps</fix>"),
      (.deadReckoning, "<src>dr</src><fix>2d</fix>"),
      (.simulated, "<src>simulated</src><fix>2d</fix>"),
    ] as [(FixQuality, String)])
  func `The fix element has the quality if GPX has a word for it`(quality: FixQuality, part: String)
  {
    var renderer = GPXRenderer()
    var fix = Samples.flat
    fix.quality = quality
    #expect(renderer.fix(fix).contains("</time>\(part)</trkpt>"))
  }

  /// How many segments points have that come and go.
  ///
  /// - Parameter points: The seconds of each point, by the receiver's clock and by the local one; `nil` if unknown.
  private func segments(_ points: [(time: Double?, received: Double?)]) -> Int {
    func time(_ seconds: Double?) -> Timestamp? {
      seconds.map { Samples.time(0, 0).advanced(by: .milliseconds(Int64(($0 * 1000).rounded()))) }
    }
    var renderer = GPXRenderer()
    var text = ""
    for point in points {
      var fix = Samples.position(1, 2, at: time(point.time))
      fix.received = time(point.received)
      text += renderer.fix(fix)
      _ = renderer.state(Samples.lost)
    }
    return text.split(separator: "<trkseg>").count - 1
  }

  @Test(
    arguments: [
      ([0, 2, 4, 6, 8], 1), ([0, 1, 2, 12, 13], 1), ([0, 1, 2, 12.001, 13], 2),
      // Three intervals.
      ([0, 6, 12, 30, 36], 1), ([0, 6, 12, 30.001, 36], 2), ([0, 1, 2, 100, 101, 200], 3),
      // The interval is not known yet.
      ([0, 65], 1), ([0, 65.001], 2), ([5], 1),
    ] as [([Double], Int)])
  func `A fix that comes and goes is one line, and a loss that lasts is none`(
    seconds: [Double], count: Int
  ) {
    #expect(segments(seconds.map { ($0, $0 + 0.25) }) == count)
    #expect(segments(seconds.map { ($0, nil) }) == count)
    #expect(segments(seconds.map { (nil, $0) }) == count)
  }

  @Test func `A loss is measured by the clock that was not set`() {
    // The receiver's clock is set, forward and back; the local clock is.
    #expect(segments([(0, 0), (1, 1), (2, 2), (1_000_000, 3), (1_000_001, 4)]) == 1)
    #expect(segments([(500, 0), (501, 1), (502, 2), (3, 3), (4, 4)]) == 1)
    #expect(segments([(0, 0), (1, 1), (2, 2), (3, 900), (4, 901)]) == 1)
    #expect(segments([(0, 0), (1, 1), (2, 2), (62, 2.5), (63, 3.5)]) == 2)
    #expect(segments([(0, 0), (1, 1), (2, 2), (62.501, 2.5), (63.5, 3.5)]) == 1)
    // Nothing is known, or only that the clock was set.
    #expect(segments([(nil, nil), (nil, nil)]) == 2)
    #expect(segments([(5, nil), (4, nil)]) == 2)
  }

  @Test func `A point without a loss before it continues the line, whenever it comes`() {
    var renderer = GPXRenderer()
    _ = renderer.fix(Samples.flat)
    var later = Samples.flat
    later.time = Samples.time(10, 13)
    #expect(renderer.fix(later).hasPrefix("<trkpt "))
  }

  @Test func `Speed and course are written independently`() {
    var renderer = GPXRenderer()
    var fix = Samples.flat
    fix.course = 0
    #expect(
      renderer.fix(fix).contains(
        "<fix>2d</fix><extensions><gpxtpx:TrackPointExtension><gpxtpx:course>0.0</gpxtpx:course>"
          + "</gpxtpx:TrackPointExtension></extensions></trkpt>"))
  }

  @Test func `The document is well-formed after every record`() {
    var renderer = GPXRenderer()
    var document = renderer.begin()
    for step in 0..<12 {
      let device = step % 5 == 0 ? Samples.hostile : Samples.device
      document += renderer.fix(Samples.position(Double(step), 1e-10, device: device))
      if step % 3 == 0 { _ = renderer.state(Samples.noService) }
      #expect(isWholeXML((document + renderer.trailer).utf8) && !isWholeXML(document.utf8))
    }
    document += renderer.end()
    #expect(isWholeXML(document.utf8))
    #expect(document.split(separator: "<trkpt ").count == 13)
    #expect(!document.contains("e-"))
  }
}
