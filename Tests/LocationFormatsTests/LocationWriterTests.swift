import LocationFormats
import Testing

@Suite struct `A writer of locations` {
  /// A fix, its loss, and another fix.
  private static let updates: [LocationUpdate] = {
    let device = "/dev/ttyACM0"
    func time(_ second: Int64) -> Timestamp {
      Timestamp(secondsSince1970: 1_795_158_000 + second)
    }
    func fix(_ second: Int64) -> LocationFix {
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 48.5, longitude: -11.25)!, mode: .fix3D, device: device,
        time: time(second))
      fix.altHAE = 592.3
      fix.altMSL = 545.4
      fix.speed = 10
      fix.track = 90
      return fix
    }
    let lost = StateChange(
      .lost, of: .receiver(device), previous: .fix3D, loss: .noFix, lastFix: fix(1), time: time(2),
      at: Moment(uptime: .seconds(1), wall: time(3)))
    return [.fix(fix(1)), .state(lost), .fix(fix(4))]
  }()

  static let documents: [(LocationFormat, String)] = [
    (
      .ndjson,
      """
      {"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:00:01.000Z","mode":3,"fix":"3d","lat":48.5,"lon":-11.25,"altMSL":545.4,"altHAE":592.3,"speed":10.0,"track":90.0}
      {"type":"state","state":"lost","previous":"fix-3d","reason":"no-fix","device":"/dev/ttyACM0","lastFix":{"time":"2026-11-20T07:00:01.000Z","lat":48.5,"lon":-11.25},"time":"2026-11-20T07:00:02.000Z","received":"2026-11-20T07:00:03.000Z"}
      {"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:00:04.000Z","mode":3,"fix":"3d","lat":48.5,"lon":-11.25,"altMSL":545.4,"altHAE":592.3,"speed":10.0,"track":90.0}

      """
    ),
    (
      .csv,
      "time,lat,lon,altHAE,device\r\n2026-11-20T07:00:01.000Z,48.5,-11.25,592.3,/dev/ttyACM0\r\n"
        + "2026-11-20T07:00:04.000Z,48.5,-11.25,592.3,/dev/ttyACM0\r\n"
    ),
    (
      .gpx,
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="locwatch" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
      http://www.topografix.com/GPX/1/1/gpx.xsd \
      http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
      https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">
      <trk>
      <src>/dev/ttyACM0</src>
      <trkseg>
      <trkpt lat="48.5" lon="-11.25"><ele>545.4</ele><time>2026-11-20T07:00:01.000Z</time><fix>3d</fix><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>10.0</gpxtpx:speed><gpxtpx:course>90.0</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
      <trkpt lat="48.5" lon="-11.25"><ele>545.4</ele><time>2026-11-20T07:00:04.000Z</time><fix>3d</fix><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>10.0</gpxtpx:speed><gpxtpx:course>90.0</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
      </trkseg>
      </trk>
      </gpx>

      """
    ),
    (
      .geoJSON,
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[-11.25,48.5,592.3]},"properties":{"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:00:01.000Z","mode":3,"fix":"3d","altMSL":545.4,"altHAE":592.3,"speed":10.0,"track":90.0}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[-11.25,48.5,592.3]},"properties":{"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:00:04.000Z","mode":3,"fix":"3d","altMSL":545.4,"altHAE":592.3,"speed":10.0,"track":90.0}}
      ]}

      """
    ),
    (
      .text,
      """
      2026-11-20T07:00:01.000Z fix-3d 48.5 -11.25 545.4
      2026-11-20T07:00:02.000Z lost /dev/ttyACM0 no-fix; last fix 2026-11-20T07:00:01.000Z 48.5 -11.25
      2026-11-20T07:00:04.000Z fix-3d 48.5 -11.25 545.4

      """
    ),
  ]

  @Test(arguments: documents)
  func `makes a whole document`(format: LocationFormat, document: String) {
    var writer = LocationWriter(format)
    let records = Self.updates.map { writer.write($0) }
    #expect(writer.begin() + records.joined() + writer.end() == document)
  }

  @Test(arguments: documents)
  func `appends the same bytes to a buffer`(format: LocationFormat, document: String) {
    var writer = LocationWriter(format)
    var bytes: [UInt8] = []
    writer.begin(into: &bytes)
    for update in Self.updates { writer.write(update, into: &bytes) }
    writer.end(into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == document)
  }

  @Test func `knows at any time what would end the document`() {
    var writer = LocationWriter(.gpx)
    #expect(writer.ending == "</gpx>\n")
    _ = writer.write(Self.updates[0])
    #expect(writer.ending == "</trkseg>\n</trk>\n</gpx>\n")
    #expect(LocationWriter(.csv).ending == "")
  }

  @Test func `is a value, whose copies are independent`() {
    var writer = LocationWriter(.geoJSON)
    var copy = writer
    #expect(writer.write(Self.updates[0]).hasPrefix("\n"))
    #expect(writer.write(Self.updates[2]).hasPrefix(",\n"))
    #expect(copy.write(Self.updates[0]).hasPrefix("\n"))
  }

  @Test func `has the requested columns, and the source before them`() {
    let columns: [FixField] = [.unix, .speedInKnots, .quantity(.satsUsed)]
    var writer = LocationWriter(.csv(columns: columns), source: "van")
    #expect(writer.begin() == "source,unix,speed:kn,satsUsed\r\n")
    #expect(writer.write(Self.updates[0]) == "van,1795158001,19.438,\r\n")
  }

  @Test func `has gpscsv's columns by default`() {
    #expect(LocationFormat.csv(columns: []) == .csv)
  }

  @Test func `a column is found by its name, and its description has the unit`() {
    for field in FixField.allCases { #expect(FixField(name: field.name) == field) }
    #expect(FixField(name: "latitude") == nil && FixField(name: "") == nil)
    #expect(FixField.speedInKnots.meaning.contains("in knots"))
    #expect("\(FixField.quantity(.altMSL))" == "altMSL")
  }

  @Test func `has the satellites of a fix if they are requested`() {
    var sky = SkyView(device: "/dev/ttyACM0")
    sky.satellites = [Satellite(prn: 5, isUsed: true)]
    for (includes, member) in [(true, #""satellites":[{"PRN":5,"#), (false, "satellites")] {
      var writer = LocationWriter(.ndjson, includesSatellites: includes)
      #expect(writer.write(.event(.sky(sky))) == "")
      #expect(writer.write(Self.updates[0]).contains(member) == includes)
    }
  }

  @Test func `uses the name of the selected provider`() {
    var writer = LocationWriter(.csv, source: "boat")
    let moment = Moment(uptime: .seconds(1))
    _ = writer.write(
      .change(ReceiverChange(.selected("stern", previous: "bow"), at: moment)))
    #expect(writer.write(Self.updates[0]).hasPrefix("stern,"))
    // Without a column for it, the name has no place.
    var nameless = LocationWriter(.csv)
    let line = nameless.write(Self.updates[0])
    _ = nameless.write(.change(ReceiverChange(.selected("stern", previous: nil), at: moment)))
    #expect(nameless.write(Self.updates[0]) == line)
  }
}
