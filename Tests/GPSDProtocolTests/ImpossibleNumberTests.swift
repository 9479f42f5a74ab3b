import LocationCore
import TestSupport
import Testing

@testable import GPSDProtocol

/// gpsd's JSON with numbers that the quantity cannot be: they count as absent, and are counted.
@Suite struct `An impossible number in a report` {
  private static let huge = ["1e300", "-1e300", "1e999", "-1e999", "1e15", "1000000000000000"]

  /// Decodes a report with one number besides its class, and returns the decoder. A number near the end of a line is read
  /// in another way than one before more bytes, with the same result.
  private func decoder(_ name: String, _ member: String, _ number: String) -> GPSDDecoder {
    let decoders = ["", #","unknown":"12345678""#].map { more in
      var decoder = GPSDDecoder()
      let line = #"{"class":"\#(name)","\#(member)":\#(number)\#(more)}"#
      #expect(decoder.decode(line) != .malformed)
      return decoder
    }
    let (last, other) = (decoders[0], decoders[1])
    #expect(last.impossibleNumbers == other.impossibleNumbers)
    #expect(last.tpv == other.tpv && last.sky == other.sky)
    #expect(last.gst == other.gst && last.att == other.att)
    return last
  }

  @Test(arguments: FieldCase.all.filter { TPV.reported.contains($0.quantity) })
  func `of a TPV`(field: FieldCase) {
    for number in Self.huge {
      let decoder = decoder("TPV", "\(field)", number)
      #expect(decoder.tpv == TPV() && decoder.impossibleNumbers == 1, "\(number)")
    }
    let decoder = decoder("TPV", "\(field)", "-1.5")
    let isPossible = field.allows(-1.5)
    #expect(decoder.tpv[field.quantity] == (isPossible ? -1.5 : nil))
    #expect(decoder.impossibleNumbers == (isPossible ? 0 : 1))
  }

  @Test(arguments: SKY.Quantity.allCases) func `of a SKY`(quantity: SKY.Quantity) {
    for number in Self.huge + ["-1.5", "-1"] {
      let decoder = decoder("SKY", "\(quantity)", number)
      #expect(decoder.sky == SKY() && decoder.impossibleNumbers == 1, "\(number)")
    }
  }

  @Test(arguments: GST.Quantity.allCases) func `of a GST`(quantity: GST.Quantity) {
    for number in Self.huge {
      let decoder = decoder("GST", "\(quantity)", number)
      #expect(decoder.gst == GST() && decoder.impossibleNumbers == 1, "\(number)")
    }
    let decoder = decoder("GST", "\(quantity)", "-1.5")
    #expect(decoder.gst[quantity] == (quantity == .orient ? -1.5 : nil))
    #expect(decoder.impossibleNumbers == (quantity == .orient ? 0 : 1))
  }

  @Test(arguments: ATT.Quantity.allCases) func `of an ATT`(quantity: ATT.Quantity) {
    for number in Self.huge {
      let decoder = decoder("ATT", "\(quantity)", number)
      #expect(decoder.att == ATT() && decoder.impossibleNumbers == 1, "\(number)")
    }
    let decoder = decoder("ATT", "\(quantity)", "-1.5")
    let isPossible = ![.heading, .mheading, .mag_len, .acc_len].contains(quantity)
    #expect(decoder.att[quantity] == (isPossible ? -1.5 : nil))
    #expect(decoder.impossibleNumbers == (isPossible ? 0 : 1))
  }

  @Test(arguments: [
    ("TPV", "lat", "90.5"), ("TPV", "lat", "-90.5"), ("TPV", "lat", "1e300"), ("TPV", "lon", "181"),
    ("TPV", "lon", "-181"), ("TPV", "track", "360.5"), ("TPV", "magtrack", "361"),
    ("TPV", "magvar", "181"), ("TPV", "magvar", "-181"), ("TPV", "geoidSep", "201"),
    ("TPV", "geoidSep", "-999.9"), ("TPV", "jam", "256"), ("TPV", "leapseconds", "128"),
    ("TPV", "temp", "-274"), ("TPV", "wanglem", "-181"), ("TPV", "ant", "256"),
    ("SKY", "nSat", "65536"), ("SKY", "uSat", "65536"), ("GST", "orient", "361"),
    ("ATT", "heading", "14359"), ("ATT", "mheading", "360.1"), ("ATT", "pitch", "361"),
    ("ATT", "temp", "-300"),
  ])
  func `is one beyond the range`(name: String, member: String, number: String) {
    let decoder = decoder(name, member, number)
    let isEmpty =
      decoder.tpv == TPV() && decoder.sky == SKY() && decoder.gst == GST() && decoder.att == ATT()
    #expect(isEmpty && decoder.impossibleNumbers == 1)
  }

  private static let whole = TPV.reported.filter { $0.kind != .number }

  @Test(arguments: whole) func `is a fraction of a whole number`(quantity: LocationFix.Quantity) {
    for number in ["0.3", "1.5", "1.0000001", "254.99", "25e-1"] {
      let decoder = decoder("TPV", "\(quantity)", number)
      #expect(decoder.tpv == TPV() && decoder.impossibleNumbers == 1, "\(number)")
    }
    for number in ["3", "3.0", "3.000", "30e-1", "0"] {
      let decoder = decoder("TPV", "\(quantity)", number)
      #expect(decoder.tpv[quantity] == (number == "0" ? 0 : 3) && decoder.impossibleNumbers == 0)
    }
    var fix = LocationFix.blank
    fix[quantity] = 0.5
    #expect(fix[quantity] == nil)
    fix[quantity] = 2
    #expect(fix[quantity] == 2)
  }

  @Test func `is a fraction of a count of satellites`() {
    for member in ["nSat", "uSat"] {
      let decoder = decoder("SKY", member, "0.5")
      #expect(decoder.sky == SKY() && decoder.impossibleNumbers == 1)
    }
    #expect(
      Set(Self.whole) == [.ant, .antPwr, .baseS, .dgpsSta, .jam, .leapseconds, .status])
  }

  @Test func `is counted once, however many there are`() {
    var decoder = GPSDDecoder()
    for _ in 0..<2 {
      _ = decoder.decode(
        #"{"class":"TPV","mode":3,"lat":91,"lon":-181,"eph":-1,"speed":-2.5,"track":400,"epx":1e300}"#
      )
      _ = decoder.decode(#"{"class":"SKY","hdop":-1,"nSat":70000,"satellites":[]}"#)
    }
    #expect(decoder.impossibleNumbers == 16)
    // gpsd writes such numbers for unknown.
    _ = decoder.decode(
      #"{"class":"SKY","satellites":[{"PRN":1,"el":-91,"az":-1,"ss":-1,"used":false}]}"#)
    #expect(decoder.sky.satellites == [Satellite(prn: 1)])
    #expect(decoder.impossibleNumbers == 16)
    // Nothing is lost that has another type.
    _ = decoder.decode(#"{"class":"TPV","eph":null,"epx":"-1","epy":[-1],"unknown":-1e300}"#)
    #expect(decoder.impossibleNumbers == 16)
  }

  @Test func `is not set by a program either`() {
    var (tpv, sky, gst, att) = (TPV(), SKY(), GST(), ATT())
    for number in [-1.5, .nan, .infinity, 1e300] {
      tpv[.eph] = number
      sky[.hdop] = number
      gst[.rms] = number
      att[.heading] = number
    }
    #expect((tpv, sky, gst, att) == (TPV(), SKY(), GST(), ATT()))
  }
}
