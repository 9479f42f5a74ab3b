import LocationCore
import Testing

@Suite struct `The memory of skies` {
  private static let changes: [(LocationState, StateChange.Subject, LossReason?, Bool)] = [
    (.connecting, .link, nil, false), (.noService, .link, nil, false),
    (.noDevice, .link, nil, false), (.noDevice, .receiver("/dev/a"), nil, false),
    (.noDevice, .receiver("/dev/b"), nil, true), (.lost, .receiver("/dev/a"), .silence, false),
    (.lost, .receiver("/dev/a"), .noFix, true), (.lost, .receiver("/dev/a"), .stuck, true),
    (.lost, .receiver("/dev/b"), .silence, true), (.searching, .receiver("/dev/a"), nil, true),
    (.searching, .receiver("/dev/a"), .silence, false), (.fix3D, .receiver("/dev/a"), nil, true),
    (.searching, .receiver(nil), .silence, true),
  ]

  @Test(arguments: changes)
  func `ends with the link, with the receiver and with its silence`(
    state: LocationState, subject: StateChange.Subject, loss: LossReason?, isKept: Bool
  ) {
    var memory = SkyMemory()
    memory.record(SkyView(device: "/dev/a", satellites: [Satellite(prn: 5)], hdop: 1))
    memory.record(SkyView(device: "/dev/a", used: 1))
    #expect(memory.satellites(of: "/dev/a")?.map(\.prn) == [5])
    #expect(memory.summary(of: "/dev/a").seen == 1)
    #expect(memory.satellites(of: "/dev/b") == nil)
    #expect(memory.summary(of: "/dev/b") == SkySummary())
    memory.record(StateChange(state, of: subject, loss: loss, at: Moment(uptime: .zero)))
    #expect((memory.satellites(of: "/dev/a") != nil) == isKept)
    #expect((memory.summary(of: "/dev/a") != SkySummary()) == isKept)
  }
}
