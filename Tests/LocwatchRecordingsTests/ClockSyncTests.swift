import GPSDLocation
import LocationCore
import Synchronization
import Testing

@testable import LocwatchRecordings

/// A recording says whether something kept the clock of the machine right. Fault 47.
@Suite struct `The state of the clock in a recording` {
  private final class Kernel: Sendable {
    private let state: Mutex<(answer: Bool?, questions: Int)>

    init(_ answer: Bool?) { state = Mutex((answer, 0)) }

    var questions: Int { state.withLock(\.questions) }
    func set(_ answer: Bool?) { state.withLock { $0.answer = answer } }

    @Sendable func answer() -> Bool? {
      state.withLock { state in
        state.questions += 1
        return state.answer
      }
    }
  }

  private static let start = Timestamp(iso8601: "2026-11-20T07:05:00Z")!

  private static func lines(_ second: Int, clock: Int = 0) -> GPSDLines {
    GPSDLines(
      bytes: Array("x\r\n".utf8)[...],
      received: Moment(
        uptime: .seconds(500 + second), wall: start.advanced(by: .seconds(second + clock))))
  }

  /// The time stamps with the state of the clock.
  private static func stamps(_ text: RecordingText) -> [String] {
    String(decoding: text.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
      .filter { $0 != "x" }
  }

  @Test(arguments: [(true, #","sync":1"#), (false, #","sync":0"#), (nil, "")] as [(Bool?, String)])
  func `is in the first time stamp if it is known`(answer: Bool?, sync: String) {
    var text = RecordingText(isClockSynchronized: Kernel(answer).answer)
    for second in 0...1 { text.append(Self.lines(second)) { _ in } }
    #expect(
      Self.stamps(text) == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"\#(sync)}"#,
        #"{"class":"LOCWATCH","t":1.000}"#,
      ])
    text.restart()
    text.append(Self.lines(2)) { _ in }
    #expect(
      Self.stamps(text).last
        == #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:02.000Z"\#(sync)}"#)
  }

  @Test func `is looked at once a minute, and follows when it has changed`() {
    let kernel = Kernel(false)
    var text = RecordingText(isClockSynchronized: kernel.answer)
    for second in 0...59 { text.append(Self.lines(second)) { _ in } }
    #expect(kernel.questions == 1)
    kernel.set(true)
    for second in 60...200 { text.append(Self.lines(second)) { _ in } }
    #expect(kernel.questions == 4)
    #expect(
      Self.stamps(text).filter { $0.contains("start") } == [
        #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z","sync":0}"#,
        #"{"class":"LOCWATCH","t":60.000,"start":"2026-11-20T07:05:00.000Z","sync":1}"#,
      ])
  }

  @Test func `is looked at when the clock was set`() {
    let kernel = Kernel(false)
    var text = RecordingText(isClockSynchronized: kernel.answer)
    text.append(Self.lines(0)) { _ in }
    kernel.set(true)
    text.append(Self.lines(1, clock: 3600)) { _ in }
    #expect(
      Self.stamps(text).last
        == #"{"class":"LOCWATCH","t":1.000,"start":"2026-11-20T08:05:00.000Z","sync":1}"#)
  }

  @Test func `is in the file that continues a removed one`() {
    var text = RecordingText(isClockSynchronized: Kernel(true).answer)
    text.append(Self.lines(0)) { _ in }
    text.removeFirst(text.bytes.count)
    text.append(Self.lines(1)) { _ in }
    _ = text.moveOn(after: [])
    #expect(
      Self.stamps(text).first
        == #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z","sync":1}"#)
  }
}
