import LocationCore
import Testing

/// Several receivers, and receivers that come and go.
/// Faults 23 and 68.
@Suite struct `Receivers of a service` {
  @Test func `two receivers interleaved neither mix nor flap`() {
    var watch = Watch()
    var told: [String] = []
    for second in [0.0, 1, 2] {
      told += watch.play([
        (second, Reports.fix(second, of: "a")), (second + 0.1, Reports.noFix(second, of: "b")),
        (second + 0.2, Reports.fix(second, .fix2D, of: "c")),
      ])
    }
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "0.1 b connecting > searching",
        "0.2 c connecting > fix-2d", "0.2 c 2d 0.0", "1.0 a 3d 1.0", "1.2 c 2d 1.0",
        "2.0 a 3d 2.0", "2.2 c 2d 2.0",
      ])
  }

  @Test func `one receiver's report completes no fix of another`() {
    var watch = Watch()
    let told = watch.play(
      [(0, Reports.fix(0, .fix2D, of: "a", isThin: true)), (0.05, Reports.fix(0, of: "b"))],
      until: 1)
    #expect(
      told == [
        "0.05 b connecting > fix-3d", "0.05 b 3d 0.0", "0.0 a connecting > fix-2d", "0.0 a 2d 0.0",
      ])
  }

  @Test func `a receiver that is removed is no-device at once`() {
    var watch = Watch()
    let told = watch.play([
      (0, Reports.fix(0)), (0.5, .removed(path: "a")), (9, Reports.receivers("a")),
      (10, Reports.fix(10)),
    ])
    #expect(
      told == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "0.5 a fix-3d > no-device",
        "10.0 a no-device > fix-3d", "10.0 a 3d 10.0",
      ])
  }

  @Test func `a receiver that the list leaves out is removed`() {
    var watch = Watch()
    let told = watch.play([
      (0, Reports.receivers("a", "b")), (1, Reports.fix(1, of: "a")), (2, Reports.receivers("b")),
    ])
    #expect(told.last == "2.0 a fix-3d > no-device")
    #expect(told.count == 3)
  }

  @Test func `an empty list is no-device once, and a receiver that comes is found`() {
    var watch = Watch()
    let told = watch.play([
      (0, Reports.receivers()), (1, Reports.receivers()), (5, .receiver(Receiver(path: "a"))),
      (6, Reports.noFix(6)), (7, Reports.fix(7)),
    ])
    #expect(
      told == [
        "0.0 connecting > no-device", "6.0 a no-device > searching", "7.0 a searching > fix-3d",
        "7.0 a 3d 7.0",
      ])
  }

  @Test func `a silent receiver that is present is searching, not missing`() {
    var watch = Watch()
    #expect(
      watch.play([(0, Reports.receivers("a"))], until: 5) == [
        "5.0 a connecting > searching: silence"
      ])
  }

  @Test func `a receiver that is refused is no-device, with the service's message`() {
    var watch = Watch()
    #expect(
      watch.play([(0, .refused(path: "a", reason: "Do nothing: a"))])
        == ["0.0 a connecting > no-device: Do nothing: a"])
  }

  @Test func `a report without a receiver belongs to the only one`() {
    var watch = Watch()
    let told = watch.play([(0, Reports.receivers("a")), (1, Reports.fix(1, of: nil))])
    #expect(told == ["1.0 a connecting > fix-3d", "1.0 a 3d 1.0"])
  }

  @Test func `a report without a receiver belongs to none of two`() {
    var watch = Watch()
    let told = watch.play([(0, Reports.receivers("a", "b")), (1, Reports.fix(1, of: nil))])
    #expect(told == ["1.0  connecting > fix-3d", "1.0  3d 1.0"])
  }

  @Test func `without any receiver known it is an unnamed one`() {
    var watch = Watch()
    let told = watch.play([(1, Reports.fix(1, of: nil)), (2, Reports.fix(2, of: nil))])
    #expect(told == ["1.0  connecting > fix-3d", "1.0  3d 1.0", "2.0  3d 2.0"])
  }

  @Test func `64 receivers are followed, and the reports of the 65th are passed on`() {
    var machine = WatchMachineProbe()
    for number in 0..<64 { machine.take(Reports.fix(0, of: "\(number)")) }
    #expect(machine.told().count == 128)
    machine.take(Reports.fix(1, of: "64"))
    machine.take(.sky(SkyView(device: "64", seen: 7)))
    machine.take(.removed(path: "64"))
    #expect(
      machine.told() == [
        .event(Reports.fix(1, of: "64")), .event(.sky(SkyView(device: "64", seen: 7))),
        .event(.removed(path: "64")),
      ])
  }

  @Test func `41: a receiver that reports replaces one without a position, longest unused`() {
    var watch = Watch()
    var events = (0..<64).map { (0.0, LocationEvent.receiver(Receiver(path: "\($0)"))) }
    events += (0..<64).map { (1, Reports.noFix(1, of: "\($0)")) }
    events += [(2, Reports.noFix(2, of: "0")), (3, Reports.fix(3, of: "new"))]
    events += [(3, Reports.fix(3, of: "0")), (4, Reports.fix(4, of: "1"))]
    #expect(
      watch.play(events).suffix(6) == [
        "3.0 new fix-3d", "3.0 new 3d 3.0", "3.0 0 searching > fix-3d", "3.0 0 3d 3.0",
        "4.0 1 fix-3d", "4.0 1 3d 4.0",
      ])
  }

  @Test func `41: new names without end displace no receiver that has a position`() {
    var watch = Watch()
    for second in 0..<20 {
      let start = Double(second)
      var told = watch.play([(start, Reports.fix(start, of: "a"))])
      for number in 0..<500 {
        told += watch.play([(start, Reports.fix(start, of: "\(second) \(number)"))])
      }
      #expect(told.count { $0.contains(" a ") } == (second == 0 ? 2 : 1))
      #expect(told.count < 200)
    }
  }

  @Test func `56: paths of the same letters in other bytes are two receivers`() {
    var watch = Watch()
    let told = watch.play([
      (0, Reports.receivers("\u{e9}", "e\u{301}")), (0, Reports.fix(0, of: "\u{e9}")),
      (0, Reports.fix(0, of: "e\u{301}")), (1, .removed(path: "\u{e9}")),
      (1, Reports.fix(1, of: "e\u{301}")), (2, Reports.receivers("\u{e9}")),
    ])
    let expected = [
      "0.0 \u{e9} connecting > fix-3d", "0.0 \u{e9} 3d 0.0", "0.0 e\u{301} connecting > fix-3d",
      "0.0 e\u{301} 3d 0.0", "1.0 \u{e9} fix-3d > no-device", "1.0 e\u{301} 3d 1.0",
      "2.0 e\u{301} fix-3d > no-device",
    ]
    #expect(told.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    #expect(StateChange.Subject.receiver("\u{e9}") != .receiver("e\u{301}"))
    #expect(Reports.locationFix(0, of: "\u{e9}") != Reports.locationFix(0, of: "e\u{301}"))
  }

  @Test func `a second greeting in a recording forgets the satellites before it`() {
    var machine = WatchMachineProbe()
    machine.take(.sky(SkyView(device: "a", seen: 12, used: 8, hdop: 1.3)))
    machine.take(Reports.fix(0))
    machine.take(.service(LocationService(name: "gpsd 3.22")))
    machine.take(Reports.fix(1))
    let fixes = machine.fixes()
    #expect(fixes.map(\.[.hdop]) == [1.3, nil])
    #expect(fixes.map(\.satellitesSeen) == [12, nil])
  }

  @Test func `a sky without satellites erases nothing`() {
    var machine = WatchMachineProbe()
    machine.take(.sky(SkyView(device: "a", seen: 12, used: 8, hdop: 1.3)))
    machine.take(.sky(SkyView(device: "a", hdop: 1.4)))
    machine.take(.sky(SkyView(device: "b", seen: 3, used: 0, hdop: 9)))
    machine.take(Reports.fix(0))
    let fix = machine.fixes().first
    #expect(fix?.satellitesSeen == 12)
    #expect(fix?.satellitesUsed == 8)
    #expect(fix?[.hdop] == 1.4)
  }
}
