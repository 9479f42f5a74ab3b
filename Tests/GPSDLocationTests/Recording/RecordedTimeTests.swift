import GPSDLocation
import LocationCore
import Testing

@Suite struct `Times in a recording` {
  private let start = Timestamp(secondsSince1970: 1_795_158_290, nanoseconds: 120_000_000)

  private func written(_ time: RecordedTime) -> String {
    var bytes: [UInt8] = []
    time.append(to: &bytes)
    return Lines.text(bytes[...])
  }

  @Test func `are written as a line that gpsd's tools read over`() {
    #expect(
      written(RecordedTime(elapsed: .milliseconds(12_345))) == #"{"class":"LOCWATCH","t":12.345}"#
        + "\n")
    #expect(
      written(RecordedTime(elapsed: .zero, start: start))
        == #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z"}"# + "\n")
  }

  @Test(arguments: [0, 1, 999, 1000, 12_345, 86_400_007, 4_294_967_295_999])
  func `come back to the millisecond`(milliseconds: Int64) {
    for start in [nil, start] {
      let time = RecordedTime(elapsed: .milliseconds(milliseconds), start: start)
      #expect(RecordedTime(line: Lines.bytes(String(written(time).dropLast()))) == time)
    }
  }

  @Test(arguments: [
    "", #"{"class":"TPV"}"#, #"{"class":"LOCWATCH","t":"#, #"{"class":"LOCWATCH","t":12.345"#,
    #"{"class":"LOCWATCH","t":12.34}"#, #"{"class":"LOCWATCH","t":12}"#,
    #"{"class":"LOCWATCH","t":-1.000}"#,
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04"#,
    #"{"class":"LOCWATCH","t":0.000,"start":"soon"}"#,
  ])
  func `are nothing else, and not torn`(line: String) {
    #expect(RecordedTime(line: Lines.bytes(line)) == nil)
  }

  @Test func `before the beginning there is none`() {
    #expect(
      written(RecordedTime(elapsed: .milliseconds(-500))) == #"{"class":"LOCWATCH","t":0.000}"#
        + "\n")
  }
}
