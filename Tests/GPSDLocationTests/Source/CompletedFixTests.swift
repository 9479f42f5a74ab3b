import LocationCore
import Testing

@testable import GPSDLocation
@testable import GPSDProtocol

/// What a fix gets from other reports than its own, or from a member of its own that others do not have.
@Suite struct `A fix is completed` {
  private var interpreter = GPSDInterpreter(device: nil)
  private var decoder = GPSDDecoder()

  @discardableResult
  private mutating func fix(_ line: String, at second: Double = 0) -> LocationFix? {
    let kind = decoder.decode(Lines.bytes(line).span)
    let moment = Moment(uptime: .milliseconds(Int64(second * 1000)))
    let event = interpreter.event(of: kind, in: &decoder, Lines.bytes(line)[...], at: moment)
    if case .fix(let fix) = event { return fix }
    return nil
  }

  private static func tpv(_ members: String = "", of device: String? = "/dev/a") -> String {
    let name = device.map { #","device":"\#($0)""# } ?? ""
    return #"{"class":"TPV"\#(name),"mode":3,"lat":48.1,"lon":11.5\#(members)}"#
  }

  private static func att(_ members: String, of device: String? = "/dev/a") -> String {
    let name = device.map { #","device":"\#($0)""# } ?? ""
    return #"{"class":"ATT"\#(name)\#(members)}"#
  }

  @Test(arguments: ["/dev/a", nil])
  mutating func `with the heading of its device, for three seconds`(device: String?) {
    let tpv = Self.tpv(of: device)
    #expect(fix(tpv)?.heading == nil)
    fix(Self.att(#","heading":274.07,"magSt":"N""#, of: device), at: 1)
    #expect(fix(tpv, at: 1)?.heading == 274.07)
    #expect(fix(tpv, at: 4)?.heading == 274.07)
    #expect(fix(tpv, at: 4.001)?.heading == nil)
    fix(Self.att(#","heading":360"#, of: device), at: 5)
    let last = fix(tpv, at: 5)
    #expect((last?.heading, last?[.mheading]) == (0, nil))
  }

  @Test mutating func `with no heading of another device, and with none that is impossible`() {
    fix(Self.att(#","heading":10"#, of: "/dev/b"))
    #expect(fix(Self.tpv())?.heading == nil)
    #expect(fix(Self.tpv(of: "/dev/b"))?.heading == 10)
    fix(Self.att(#","heading":361"#))
    fix(Self.att(#","pitch":3"#))
    #expect(fix(Self.tpv())?.heading == nil)
    // A report without a heading does not end the last one.
    fix(Self.att(#","roll":3"#, of: "/dev/b"))
    #expect(fix(Self.tpv(of: "/dev/b"))?.heading == 10)
  }

  @Test mutating func `with the true heading of a magnetic one, if the variation is known`() {
    fix(Self.att(#","mheading":358.5"#))
    let unknown = fix(Self.tpv())
    #expect((unknown?.heading, unknown?[.mheading]) == (nil, 358.5))
    let known = fix(Self.tpv(#","magvar":3.5"#))
    #expect((known?.heading, known?[.mheading]) == (2, 358.5))
    fix(Self.att(#","heading":20,"mheading":358.5"#))
    #expect(fix(Self.tpv(#","magvar":3.5"#))?.heading == 20)
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
    fix(Self.att(member("heading", fromTrue) + member("mheading", fromMagnetic)))
    #expect(fix(Self.tpv(member("magvar", variation)))?.heading == heading)
  }

  @Test mutating func `with alt, where no other height has ever come, and that is noted once`() {
    #expect(fix(Self.tpv())?.altitude == nil)
    #expect(interpreter.takeNotice() == nil)
    #expect(fix(Self.tpv(#","alt":545.4"#))?.altitude == 545.4)
    #expect(
      interpreter.takeNotice()
        == "the service reports heights as 'alt' only, which are taken for heights above mean sea level"
    )
    #expect(fix(Self.tpv(#","alt":-3"#, of: "/dev/b"))?.altitude == -3)
    #expect(interpreter.takeNotice() == nil)
    #expect(fix(Self.tpv(#","alt":"x""#))?.altitude == nil)
    #expect(fix(Self.tpv(#","alt":1e300"#))?.altitude == nil)
    let flat = #"{"class":"TPV","mode":2,"lat":48.1,"lon":11.5,"alt":7}"#
    #expect(fix(flat)?.altitude == nil)
  }

  @Test(arguments: [#","altMSL":12"#, #","altHAE":12"#])
  mutating func `with no alt once another height has come`(height: String) {
    let first = fix(Self.tpv(height + #","alt":545.4"#))
    #expect((first?.altitude ?? first?.ellipsoidalAltitude) == 12)
    let second = fix(Self.tpv(#","alt":545.4"#))
    #expect((second?.altitude, second?.ellipsoidalAltitude) == (nil, nil))
    #expect(interpreter.takeNotice() == nil)
  }

  @Test(arguments: [
    (#","altMSL":12,"alt":545.4"#, 2), (#","alt":545.4"#, 1),
  ])
  mutating func `through a connection, which passes the note on after the fix`(
    members: String, count: Int
  ) async throws {
    let source = GPSDLocationSource.recorded(
      lines: [Lines.version, Self.tpv(members), Self.tpv(members)])
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    let notices = events.indices.filter { if case .notice = events[$0] { true } else { false } }
    #expect(notices == (count == 1 ? [2] : []))
  }
}
