import Testing

@testable import LocationCore

@Suite struct `The current states` {
  private func change(_ state: LocationState, of path: String? = nil) -> StateChange {
    StateChange(state, of: path.map { .receiver($0) } ?? .link, at: Moment(uptime: .zero))
  }

  @Test func `have the best state of all receivers, or else that of the link`() {
    var current = CurrentStates()
    #expect(current.state == nil)
    for (next, state) in [
      (change(.connecting), .connecting), (change(.searching, of: "a"), .searching),
      (change(.fix2D, of: "b"), .fix2D), (change(.fix3D, of: "a"), .fix3D),
      (change(.noDevice, of: "a"), .fix2D), (change(.lost, of: "b"), .lost),
      (change(.noDevice, of: "b"), .noDevice), (change(.noDevice), .noDevice),
      (change(.fix3D, of: "b"), .fix3D), (change(.noService), .noService),
    ] as [(StateChange, LocationState)] {
      current.record(next)
      #expect(current.state == state)
      #expect(current.hasFix == state.hasFix)
      if next.subject == .link { #expect(current.receivers.isEmpty && current.link == next) }
    }
  }

  @Test func `forget what is gone before what has a fix`() {
    var current = CurrentStates()
    current.record(change(.fix3D, of: "fixed"))
    for number in 0..<100 {
      for state in [LocationState.searching, .noDevice] {
        current.record(change(state, of: "\(number)"))
      }
    }
    #expect(current.receivers.isFull && current.state == .fix3D)
    // Where none is gone, it is the one that was heard of least recently.
    for number in 200..<300 { current.record(change(.searching, of: "\(number)")) }
    #expect(current.receivers.isFull && current.state == .searching)
  }
}
