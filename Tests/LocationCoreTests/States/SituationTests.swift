import Testing

@testable import LocationCore

@Suite struct `A situation` {
  private func change(_ state: LocationState, of path: String? = nil) -> StateChange {
    StateChange(state, of: path.map { .receiver($0) } ?? .link, at: Moment(uptime: .zero))
  }

  @Test func `has the best state of all receivers, or else that of the link`() {
    var situation = Situation()
    #expect(situation.state == nil)
    for (next, state) in [
      (change(.connecting), .connecting), (change(.searching, of: "a"), .searching),
      (change(.fix2D, of: "b"), .fix2D), (change(.fix3D, of: "a"), .fix3D),
      (change(.noDevice, of: "a"), .fix2D), (change(.lost, of: "b"), .lost),
      (change(.noDevice, of: "b"), .noDevice), (change(.noDevice), .noDevice),
      (change(.fix3D, of: "b"), .fix3D), (change(.noService), .noService),
    ] as [(StateChange, LocationState)] {
      situation.record(next)
      #expect(situation.state == state)
      #expect(situation.hasFix == state.hasFix)
      if next.subject == .link { #expect(situation.receivers.isEmpty && situation.link == next) }
    }
  }

  @Test func `forgets what is gone before what has a fix`() {
    var situation = Situation()
    situation.record(change(.fix3D, of: "fixed"))
    for number in 0..<100 {
      for state in [LocationState.searching, .noDevice] {
        situation.record(change(state, of: "\(number)"))
      }
    }
    #expect(situation.receivers.isFull && situation.state == .fix3D)
    // Where none is gone, it is the one that was heard of least recently.
    for number in 200..<300 { situation.record(change(.searching, of: "\(number)")) }
    #expect(situation.receivers.isFull && situation.state == .searching)
  }
}
