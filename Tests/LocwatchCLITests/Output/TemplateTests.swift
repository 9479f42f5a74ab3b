import LocationCore
@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchSystem
import Testing

@Suite struct TemplateTests {
  @Test(arguments: [
    ("%lat %lon %altMSL", "48.118633333 11.517333333 545.4"),
    ("%time,%speed,%track,%accuracy", "2026-11-20T07:05:12.000Z,11.524,84.4,24.7"),
    ("%fix by %device (%sats/%satsSeen)", "3d by /dev/ttyACM0 (8/12)"),
    ("%maidenhead%%", "JN58sc28%"),
    ("%speed:kn %speed:kmh", "22.401 41.486"),
    ("%{speed:kn}kn", "22.401kn"),
    ("%speed: %fix:%mode %speed:%{speed}:kn", "11.524: 3d:3 11.524:11.524:kn"),
    ("%utm|%mgrs", "32U 687344.337 5332551.051|32UPU8734432551"),
    ("%{lat}N%{lon}E", "48.118633333N11.517333333E"),
    ("%lat,%lon_%sats{%fix}", "48.118633333,11.517333333_8{3d}"),
    ("%{altMSL}%{magvar}m", "545.4-m"),
    (#"%mode\t%age\n\\n\x%%lat"#, "3\t0.31\n\\n\\x%lat"),
    ("[%magvar]", "[-]"),
    ("100%%", "100%"),
    ("%unix %unixms %source", "1795158312 1795158312000 localhost"), ("%{source}s", "localhosts"),
  ])
  func `Fields are where the template has them`(source: String, line: String) throws {
    var renderer = TemplateRenderer(try Template(source))
    #expect(renderer.fix(Samples.fix) == line + "\n")
  }

  @Test func `The course of a receiver at rest is unknown`() throws {
    var renderer = TemplateRenderer(try Template("%speed %track %magtrack"))
    var fix = Samples.fix
    (fix.speed, fix[.magtrack]) = (0.05, 82)
    #expect(renderer.fix(fix) == "0.05 - -\n")
  }

  @Test func `Every field can be used`() throws {
    for field in FixField.allCases {
      #expect(try Template("%\(field.name)").parts == [.field(field)])
      #expect(try Template("%{\(field.name)}").parts == [.field(field)])
    }
  }

  @Test(arguments: [
    ("%latitude", "'%latitude' is not a field; did you mean %lat?"),
    ("%{Longitude}", "'%{Longitude}' is not a field; did you mean %{lon}?"),
    ("%fixx", "'%fixx' is not a field; did you mean %fix, or %{fix}x?"),
    ("%latN", "'%latN' is not a field; did you mean %lat, or %{lat}N?"),
    ("%time2", "'%time2' is not a field; did you mean %time, or %{time}2?"),
    ("%timeJumps", "'%timeJumps' is not a field; did you mean %timeJump, or %{timeJump}s?"),
    ("%speed:mph", "'%speed:mph' is not a field; did you mean %speed, or %{speed}:mph?"),
    ("%{speed:knt}", "'%{speed:knt}' is not a field; did you mean %{speed:kn}?"),
    ("%sourse", "'%sourse' is not a field; did you mean %source?"),
    ("%lt", "'%lt' is not a field; did you mean %lat?"),
    ("%{lt}", "'%{lt}' is not a field; did you mean %{lat}?"),
    ("%LAT", "'%LAT' is not a field; did you mean %lat?"),
    ("%course", "'%course' is not a field; did you mean %track?"),
    ("%qqqq", "'%qqqq' is not a field"),
    ("%lat %{lon", "'%{lon' has no closing }"),
    ("%{", "'%{' has no closing }"),
    ("%{}", "no field name in %{}"),
    ("%{lat lon}", "'%{lat lon}' is not a field; did you mean %{lat}?"),
    ("100 %", "no field name after a % in the template; %% is a percent sign"),
    ("%-lat", "no field name after a % in the template; %% is a percent sign"),
  ])
  func `A name must be a field's, the whole word`(source: String, message: String) {
    #expect(throws: UsageError(message)) { try Template(source) }
  }

  @Test func `An unknown speed is a dash in every unit`() throws {
    var renderer = TemplateRenderer(try Template("%speed %speed:kn %speed:kmh"))
    #expect(renderer.fix(Samples.flat) == "- - -\n")
  }

  @Test func `Positions have the requested form`() throws {
    var renderer = TemplateRenderer(try Template("%lon|%lat"), coordinates: .minutes)
    #expect(renderer.fix(Samples.flat) == "71°00.00000'W|0°30.00000'S\n")
  }

  @Test func `A locator does not replace a single number`() throws {
    for style in ["maidenhead", "utm", "mgrs"] {
      #expect(throws: UsageError.self) {
        try Options(arguments: ["-f", "%lat", "--coords=\(style)"])
      }
    }
    #expect(try Options(arguments: ["-f", "%lat", "--coords=dm"]).coordinates == .minutes)
  }

  @Test func `Hostile text stays visible and does nothing`() throws {
    var renderer = TemplateRenderer(try Template("%device"))
    #expect(
      renderer.fix(Samples.position(1, 2, device: Samples.hostile))
        == #"=cmd|\u{1b}[2J\u{9b}\u{202e}\u{2028}"</name>&'\u{a},\"# + "\n")
  }
}
