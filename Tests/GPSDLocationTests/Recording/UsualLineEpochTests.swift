import GPSDProtocol
import Testing

@testable import GPSDLocation

@Suite struct `The time in a frequent line` {
  /// Returns the receiver and the time that are found without decoding the line.
  private func epoch(_ text: String) -> String? {
    let bytes = Array((text + "\n").utf8)
    return UsualLine(bytes.span, from: 0, to: bytes.count)?.epoch(in: bytes.span)
      .map { "\($0.receiver ?? "none") \($0.time)" }
  }

  @Test func `has the receiver and the time of a position`() {
    let time = #""time":"2026-11-20T07:05:00.250Z""#
    #expect(
      epoch(#"{"class":"TPV","device":"/dev/a","mode":3,\#(time),"lat":1}"#)
        == "/dev/a 2026-11-20T07:05:00.250Z")
    #expect(
      epoch(#"{"class":"TPV","device":"/dev/a","status":2,"mode":1,\#(time)}"#)
        == "/dev/a 2026-11-20T07:05:00.250Z")
  }

  @Test(arguments: [
    #"{"class":"TPV","device":"/dev/a","mode":3}"#,
    #"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"time":"2026-11-20T07:05:00.250Z"}"#,
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T07:05:00Z"}"#,
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T07:05:61.250Z"}"#,
    #"{"class":"TPV","device":"/dev\/a","mode":3,"time":"2026-11-20T07:05:00.250Z"}"#,
    #"{"class":"TPV","device":"tcp://me:secret@a","mode":3,"time":"2026-11-20T07:05:00.250Z"}"#,
    #"{"class":"SKY","device":"/dev/a","mode":3,"time":"2026-11-20T07:05:00.250Z"}"#,
    #"{"class":"LOCWATCH","t":1.000}"#,
  ])
  func `has to be decoded otherwise`(text: String) { #expect(epoch(text) == nil) }
}
