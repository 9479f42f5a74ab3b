import LocationCore
import Testing

@testable import LocwatchCLI

/// What a part of a recording begins with.
@Suite struct `The state before a part` {
  private static func sky(_ device: String?) -> LocationUpdate {
    .event(.sky(SkyView(device: device, seen: 9, used: 4)))
  }

  private static func updates(_ updates: LocationUpdate...) -> [LocationUpdate] {
    var known = KnownState()
    for update in updates { known.record(update, at: .start) }
    return known.updates(at: .start)
  }

  private static func receivers(_ paths: String...) -> LocationUpdate {
    .event(.receivers(paths.map { Receiver(path: $0) }))
  }

  private static func receiver(_ path: String) -> LocationUpdate {
    .event(.receiver(Receiver(path: path)))
  }

  @Test func `has nothing about a receiver that was removed`() {
    let (gone, removal) = (
      LocationUpdate.state(.noDevice, of: "/dev/a"), LocationUpdate.event(.removed(path: "/dev/a"))
    )
    #expect(
      Self.updates(Self.receiver("/dev/a"), Self.sky("/dev/a"), Self.sky("/dev/b"), gone, removal)
        == [Self.sky("/dev/b"), gone])
    // And what came after it
    #expect(
      Self.updates(Self.sky("/dev/a"), gone, removal, Self.receiver("/dev/a"), Self.sky("/dev/a"))
        == [Self.receiver("/dev/a"), Self.sky("/dev/a"), gone])
    #expect(Self.updates(Self.sky(nil), gone, removal) == [Self.sky(nil), gone])
  }

  @Test func `has no satellites of a silent receiver, or from before the link failed`() {
    let silent = LocationUpdate.state(.searching, of: "/dev/a", loss: .silence)
    #expect(
      Self.updates(Self.sky("/dev/a"), Self.sky("/dev/b"), silent) == [Self.sky("/dev/b"), silent])
    let link = LocationUpdate.state(StateChange(.noService, at: .start))
    #expect(Self.updates(Self.sky("/dev/a"), Self.sky(nil), link) == [link])
    // What gpsd is and has is known until it says otherwise.
    let known = [LocationUpdate.answer, Self.receivers("/dev/a"), Self.receiver("/dev/a")]
    #expect(Self.updates(known[0], known[1], known[2], link) == known + [link])
  }

  @Test func `has the last of each report, in the order in which they came`() {
    #expect(
      Self.updates(.answer, Self.receiver("/dev/a"), Self.receivers("/dev/b"), .answer)
        == [Self.receivers("/dev/b"), .answer])
    #expect(
      Self.updates(Self.receivers("/dev/b"), Self.receiver("/dev/a"), Self.receiver("/dev/b"))
        == [Self.receivers("/dev/b"), Self.receiver("/dev/a"), Self.receiver("/dev/b")])
  }

  @Test func `has the state of each receiver, but none from before the link failed`() {
    let (a, b) = (
      LocationUpdate.state(.fix3D, of: "/dev/a"), LocationUpdate.state(.searching, of: "/dev/b")
    )
    let link = LocationUpdate.state(StateChange(.noService, at: .start))
    #expect(Self.updates(a, b) == [a, b])
    #expect(Self.updates(a, b, .state(.lost, of: "/dev/a")) == [b, .state(.lost, of: "/dev/a")])
    #expect(Self.updates(a, b, link) == [link])
    #expect(Self.updates(link, a) == [a])
  }

  @Test func `has at most 256 states and reports, and drops the first ones`() {
    var known = KnownState()
    for number in 0...256 {
      known.record(Self.sky("/dev/\(number)"), at: .start)
      known.record(.state(.fix3D, of: "/dev/\(number)"), at: .start)
    }
    let updates = known.updates(at: .start)
    #expect(updates.count == 512)
    #expect(updates.first == Self.sky("/dev/1") && updates[255] == Self.sky("/dev/256"))
    #expect(updates[256] == .state(.fix3D, of: "/dev/1"))
    #expect(updates.last == .state(.fix3D, of: "/dev/256"))
  }

  @Test func `has states as they are at its beginning, without what led to them`() {
    var known = KnownState()
    var change = StateChange(
      .noService, previous: .fix3D, reason: "closed by gpsd", retryIn: .seconds(8),
      time: Samples.time(0, 10), at: .start)
    known.record(.state(change), at: .start)
    let beginning = Moment.start.advanced(by: .seconds(90))
    (change.previous, change.retryIn) = (nil, nil)
    (change.time, change.moment) = (Samples.time(1, 40), beginning)
    #expect(known.updates(at: beginning) == [.state(change)])
  }

  @Test func `has the time of the last fix of each receiver, or of a later change`() {
    var known = KnownState()
    func moment(_ second: Int64) -> Moment { Moment.start.advanced(by: .seconds(second)) }
    func fix(_ device: String, _ second: Int64, at arrival: Int64, isCurrent: Bool = true) {
      var fix = Samples.fix
      fix.device = device
      fix.time = Samples.time(0, second)
      fix.isCurrent = isCurrent
      known.record(.fix(fix), at: moment(arrival))
    }
    func change(_ device: String, _ state: LocationState, at second: Int64) {
      let time = Samples.time(0, second)
      let change = StateChange(state, of: .receiver(device), time: time, at: moment(second))
      known.record(.state(change), at: moment(second))
    }
    change("/dev/a", .fix3D, at: 1)
    fix("/dev/a", 1, at: 1)
    change("/dev/b", .fix3D, at: 2)
    fix("/dev/b", 3, at: 2)
    // Its clock is a second ahead of that of the computer.
    fix("/dev/a", 9, at: 8)
    fix("/dev/a", 5, at: 9, isCurrent: false)
    change("/dev/b", .lost, at: 10)
    let times = known.updates(at: moment(30)).map { update -> Timestamp? in
      guard case .state(let change) = update else { return nil }
      return change.time
    }
    #expect(times == [Samples.time(0, 31), Samples.time(0, 30)])
  }

  @Test func `has what was last said of corrections, and no other change`() {
    func change(
      _ corrections: Corrections, _ previous: Corrections.State?, at moment: Moment = .start
    ) -> LocationUpdate {
      .change(ReceiverChange(.corrections(corrections, previous: previous), at: moment))
    }
    let there = Corrections(.connected, of: "c")
    let lost = Corrections(.lost, of: "c", reason: "401 Unauthorized")
    let updates: [LocationUpdate] = [
      .event(.corrections(there)), change(there, nil), .change(Samples.pulses),
      .event(.corrections(lost)), change(lost, .connected), .fix(Samples.fix),
    ]
    var known = KnownState()
    for update in updates { known.record(update, at: .start) }
    let beginning = Moment.start.advanced(by: .seconds(90))
    #expect(
      known.updates(at: beginning)
        == [.event(.corrections(lost)), change(lost, nil, at: beginning)])
    func failure(_ code: LocationError.Code) -> LocationUpdate {
      .state(StateChange(.noService, error: LocationError(code), at: beginning))
    }
    known.record(failure(.disconnected), at: beginning)
    #expect(known.updates(at: beginning).count == 3)
    // The next run may not ask for corrections.
    known.record(failure(.notRecorded), at: beginning)
    #expect(known.updates(at: beginning) == [failure(.notRecorded)])
  }

  @Test func `has begun at its first moment, once that is known`() {
    let unknown = ReplayStartState(beginning: { nil })
    #expect(unknown.beginning == nil && unknown.beginning(by: .start) == nil)
    let known = ReplayStartState(beginning: { .start })
    #expect(known.beginning(by: Moment(uptime: .nanoseconds(-1))) == nil)
    #expect(known.beginning(by: .start) == .start)
    #expect(known.beginning(by: Moment(uptime: .seconds(1))) == .start)
  }
}
