import LocationCore
import Testing

@testable import GPSDLocation
@testable import GPSDProtocol

/// What a fix gets from other reports than its own, or from a member of its own that others do not have.
@Suite struct `A fix is completed` {
  private var interpreter = GPSDInterpreter(device: nil)
  private var decoder = GPSDDecoder()

  @discardableResult
  private mutating func fix(_ line: String) -> LocationFix? {
    let kind = decoder.decode(Lines.bytes(line).span)
    let event = interpreter.event(
      of: kind, in: &decoder, Lines.bytes(line)[...], at: Moment(uptime: .zero))
    if case .fix(let fix) = event { return fix }
    return nil
  }

  @Test(
    arguments: [
      ("142.5", nil, nil, 142.5), ("142.5", nil, "2.5", 142.5), (nil, "142.5", "2.5", 145),
      (nil, "142.5", nil, nil), ("1", nil, "3", 1), (nil, "358", "3", 1), (nil, "2", "-4", 358),
      (nil, "357.5", "2.5", 0), (nil, "0.25", "0.25", 0.5), ("10", "20", "5", 10),
      ("360", nil, nil, 0), ("14223", "10", nil, nil), ("14223", "10", "1", 11),
      ("-0.1", "-0.1", "1", nil), ("360.1", "360.1", "1", nil), ("14223", "14223", "1", nil),
    ] as [(String?, String?, String?, Double?)])
  mutating func `with the true heading, or the magnetic one plus the variation`(
    fromTrue: String?, fromMagnetic: String?, variation: String?, heading: Double?
  ) {
    func member(_ name: String, _ number: String?) -> String {
      number.map { #","\#(name)":\#($0)"# } ?? ""
    }
    let headings = member("heading", fromTrue) + member("mheading", fromMagnetic)
    fix(#"{"class":"ATT","device":"/dev/a"\#(headings)}"#)
    let position = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":48.1,"lon":11.5"#
    #expect(fix(position + member("magvar", variation) + "}")?.heading == heading)
  }
}
