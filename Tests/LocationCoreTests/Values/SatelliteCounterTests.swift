@testable import LocationCore
import Testing

@Suite struct `Satellites and signals` {
  /// Two satellites on two bands, one on a single band, and one known only by its PRN.
  private static let signals = [
    Satellite(prn: 5, gnssID: 0, svID: 5, sigID: 0, signalStrength: 38),
    Satellite(prn: 5, gnssID: 0, svID: 5, sigID: 4, signalStrength: 41, isUsed: true),
    Satellite(prn: 305, gnssID: 2, svID: 5, sigID: 0, isUsed: true),
    Satellite(prn: 305, gnssID: 2, svID: 5, sigID: 6, isUsed: true),
    Satellite(prn: 7, gnssID: 0, svID: 7, sigID: 0),
    Satellite(prn: 5),
  ]

  @Test func `A satellite counts once, and is used if one of its signals is`() {
    let sky = SkyView(satellites: Self.signals)
    #expect((sky.seen, sky.used) == (4, 2))
    #expect((sky.signalsSeen, sky.signalsUsed) == (6, 3))
    #expect(sky.strongest == 41)
  }

  @Test(arguments: [64, 100, 6500]) func `A list may have any length`(length: Int) {
    let once = (0..<length).map { Satellite(prn: $0, isUsed: $0 % 3 == 0) }
    let sky = SkyView(satellites: once + once.reversed())
    #expect((sky.seen, sky.used) == (length, (length + 2) / 3))
    #expect(sky.signalsSeen == 2 * length)
  }

  @Test func `Numbers that gpsd does not use are satellites too`() {
    let numbers = [Int.min, -1, 0, .max]
    let signals = numbers.flatMap { number in
      [Satellite(prn: number), Satellite(prn: 1, gnssID: number, svID: number)]
    }
    #expect(SkyView(satellites: signals + signals).seen == 8)
  }

  @Test func `A satellite has what is known from any of its signals`() throws {
    let satellites = TrackedSatellite.all(in: Self.signals)
    #expect(satellites.map(\.satellite.prn) == [5, 305, 7, 5])
    #expect(satellites.map(\.satellite.isUsed) == [true, true, false, false])
    #expect(satellites.map(\.satellite.signalStrength) == [41, nil, nil, nil])
    #expect(
      satellites.map(\.signals) == [["L1 C/A", "L2 CM"], ["E1 C", "E5b Q"], ["L1 C/A"], []])
  }

  @Test(arguments: [
    (0, "L1 C/A - - L2 CL L2 CM - L5 I L5 Q"),
    (1, "L1 C/A"),
    (2, "E1 C E1 B - E5a I E5a Q E5b I E5b Q - E6 B E6 C E6 A"),
    (3, "B1I D1 B1I D2 B2I D1 B2I D2 B3I D1 B1C p B1C d B2a p B2a d - B3I D2"),
    (4, "-"),
    (5, "L1 C/A L1S - - L2 CM L2 CL - - L5 I L5 Q - - L1 C/B"),
    (6, "L1 OF - L2 OF"),
    (7, "L5 A"),
    (8, "-"),
  ])
  func `A signal has the name of the table, or its number`(gnssID: Int, names: String) {
    let signals = (0...16).map { Satellite(prn: 1, gnssID: gnssID, sigID: $0) }
    let unnamed = signals.map { $0.signalName == String($0.sigID!) ? "-" : $0.signalName! }
    #expect(unnamed.joined(separator: " ").hasPrefix(names))
    #expect(unnamed.last { $0 != "-" } == nil || names.hasSuffix(unnamed.last { $0 != "-" }!))
    #expect(Satellite(prn: 1, gnssID: gnssID).signalName == nil)
    #expect(Satellite(prn: 1, sigID: 0).signalName == "0")
  }
}

@Suite struct `What is known of a receiver's satellites` {
  private let list = SkyView(satellites: [
    Satellite(prn: 1, gnssID: 0, svID: 1, sigID: 0, isUsed: true),
    Satellite(prn: 1, gnssID: 0, svID: 1, sigID: 4, isUsed: true),
    Satellite(prn: 2, gnssID: 0, svID: 2, sigID: 0),
  ])

  /// The numbers of a report without a list.
  private func bare(seen: Int? = nil, used: Int? = nil) -> SkyView {
    var sky = SkyView(seen: seen, used: used, signalsSeen: seen, signalsUsed: used)
    sky.values.isCounted = false
    return sky
  }

  @Test func `Numbers without a list are what is known until there is one`() {
    var sky = SkySummary()
    sky.add(bare(used: 7))
    #expect((sky.used, sky.seen, sky.signalsUsed) == (7, nil, 7))
    sky.add(list)
    #expect((sky.used, sky.seen, sky.signalsUsed, sky.signalsSeen) == (1, 2, 2, 3))
  }

  @Test func `Numbers of signals do not replace those of satellites`() {
    var sky = SkySummary()
    sky.add(list)
    sky.add(bare(seen: 3, used: 2))
    sky.add(bare(used: 12))
    #expect((sky.used, sky.seen, sky.signalsUsed, sky.signalsSeen) == (1, 2, 2, 3))
  }

  @Test func `A view without a dilution or a strength keeps the last one`() {
    var sky = SkySummary()
    sky.add(SkyView(hdop: 1, vdop: 2, pdop: 3))
    sky.add(SkyView(satellites: [Satellite(prn: 5, signalStrength: 40)]))
    sky.add(SkyView(vdop: 4))
    var values = FixValues(coordinate: .nullIsland, mode: .fix2D, device: nil, time: nil)
    sky.complete(&values)
    #expect([values[.hdop], values[.vdop], values[.pdop]] == [1, 4, 3])
    #expect(sky.strongest == 40)
  }

  @Test func `No more satellites are used than seen, whichever view has the number`() {
    var sky = SkySummary()
    sky.add(bare(used: 22))
    sky.add(bare(seen: 21))
    #expect((sky.used, sky.seen) == (21, 21))
    #expect((sky.signalsUsed, sky.signalsSeen) == (21, 21))
  }
}
