import GPSDProtocol
import LocationCore
import Testing

/// As a program or a test outside the package makes them.
@Suite struct `A report that is made by hand` {
  @Test func `equals the report of gpsd's line`() throws {
    var tpv = TPV()
    tpv.device = "/dev/ttyACM0"
    tpv.time = Timestamp(secondsSince1970: 1_553_791_518, nanoseconds: 990_000_000)
    tpv.mode = .fix3D
    tpv.lat = 48.15
    tpv.lon = 11.58
    tpv[.eph] = 4.5
    tpv[.leapseconds] = 18
    #expect(
      tpv
        == tpvReport(
          #""device":"/dev/ttyACM0","time":"2019-03-28T16:45:18.990Z","mode":3,"lat":48.15,"#
            + #""lon":11.58,"eph":4.5,"leapseconds":18"#))
    let fix = try #require(LocationFix(tpv))
    #expect(fix.coordinate == Coordinate(latitude: 48.15, longitude: 11.58))
    #expect(fix.horizontalError == 4.5)
  }

  @Test(arguments: TPV.reported)
  func `has each number of a TPV under its name`(quantity: LocationFix.Quantity) {
    var tpv = TPV()
    tpv[quantity] = 7
    #expect(tpv[quantity] == 7)
    #expect(tpv == tpvReport(#""\#(quantity)":7"#))
    for value in [nil, .nan, 1e15] as [Double?] {
      tpv[quantity] = value
      #expect(tpv == TPV())
      tpv[quantity] = 7
    }
  }

  @Test func `counts the satellites that it lists`() {
    var sky = SKY()
    sky[.hdop] = 0.9
    sky.satellites = [
      Satellite(prn: 1, signalStrength: 40, isUsed: true), Satellite(prn: 2, signalStrength: 22),
    ]
    let view = SkyView(sky)
    #expect((view.seen, view.used, view.strongest, view.hdop) == (2, 1, 40, 0.9))
    sky[.nSat] = 12
    #expect(SkyView(sky).seen == 2)
    sky.satellites = nil
    #expect(SkyView(sky).seen == 12)
  }

  @Test func `prints all known values`() {
    var tpv = TPV()
    #expect("\(tpv)" == "TPV")
    tpv.device = "/dev/ttyACM0"
    tpv.time = Timestamp(secondsSince1970: 1_553_791_518, nanoseconds: 990_000_000)
    tpv.mode = .fix3D
    tpv.lat = 48.15
    #expect(
      "\(tpv)" == "TPV: device /dev/ttyACM0, time 2019-03-28T16:45:18.990Z, mode 3, lat 48.15")

    var sky = SKY()
    sky[.uSat] = 8
    sky[.hdop] = 0.9
    #expect("\(sky)" == "SKY: uSat 8, hdop 0.9")

    var gst = GST()
    gst[.lat] = 1.5
    #expect("\(gst)" == "GST: lat 1.5")

    var att = ATT()
    att.magSt = "N"
    att[.mag_x] = 2454
    #expect("\(att)" == "ATT: mag_st N, mag_x 2454")

    var device = DeviceReport(path: "/dev/ttyACM0")
    device.activated = .closed
    device.bps = 9600
    device.readonly = false
    device.cycle = 0.25
    #expect(
      "\(device)"
        == "DEVICE: path /dev/ttyACM0, activated closed, bps 9600, readonly false, cycle 0.25")
    #expect("\(DeviceReport())" == "DEVICE")

    var version = VersionReport(release: "3.22")
    version.protoMajor = 3
    #expect("\(version)" == "VERSION: release 3.22, proto_major 3")

    var watch = WatchReport()
    watch.enable = true
    watch.raw = 0
    #expect("\(watch)" == "WATCH: enable true, raw 0")

    #expect("\(ErrorReport(message: "No."))" == "ERROR: message No.")
  }
}
