import Foundation
import GPSDLocation
import Testing

@Suite struct `Commands to gpsd` {
  @Test func `are the text that goes over the wire`() {
    #expect(GPSDCommand.watch.text == #"?WATCH={"enable":true,"json":true};"#)
    #expect(GPSDCommand.version.text == "?VERSION;")
    #expect(GPSDCommand.devices.text == "?DEVICES;")
    #expect(
      GPSDCommand.watch(device: "/dev/ttyACM0").text
        == #"?WATCH={"enable":true,"json":true,"device":"/dev/ttyACM0"};"#)
    #expect(
      GPSDCommand.watch(device: nil, pulses: true).text
        == #"?WATCH={"enable":true,"json":true,"pps":true};"#)
    #expect(
      GPSDCommand.watch(device: "/dev/ttyACM0", pulses: true).text
        == #"?WATCH={"enable":true,"json":true,"pps":true,"device":"/dev/ttyACM0"};"#)
  }

  @Test(arguments: [
    #"/dev/a"b"#, #"C:\dev\a"#, "/dev/%s%n", "/dev/a b", "/dev/a\n\u{1}\u{1f}\u{0}", "/dev/höhe/🛰",
    "/dev/serial/by-id/" + String(repeating: "x", count: 200),
  ])
  func `carry any path whole, in JSON`(path: String) throws {
    let text = GPSDCommand.watch(device: path).text
    #expect(text.hasPrefix("?WATCH={") && text.hasSuffix("};"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    let json = try JSONSerialization.jsonObject(with: Data(text.dropFirst(7).dropLast().utf8))
    let fields = try #require(json as? [String: Any])
    #expect(fields["device"] as? String == path)
    #expect(fields["enable"] as? Bool == true)
    #expect(fields.count == 3)
  }
}
