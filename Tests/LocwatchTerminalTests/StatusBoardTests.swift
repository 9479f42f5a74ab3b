import LocationCore
import Testing

@testable import LocwatchTerminal

/// Fault 67.
@Suite struct StatusBoardTests {
  private var board = StatusBoard()

  @Test func `The link is shown until a receiver reports`() {
    var board = board
    #expect(board.lines(at: .start) == [])
    board.record(.state(StateChange(.connecting, at: .start)), at: .start)
    #expect(shown(board, after: 2) == ["connecting 2.0 -"])
    board.record(.sky(of: "/dev/a", seen: 5, used: 0), at: .start)
    #expect(shown(board, after: 2) == ["connecting 2.0 -"])
    board.record(.state(.searching, of: "/dev/a"), at: .start.advanced(by: .seconds(2)))
    #expect(shown(board, after: 5) == ["searching 3.0 -"])
    #expect(board.lines(at: .start).map(\.status.satellitesSeen) == [5])
  }

  @Test func `The best of several sources is named, and several receivers by their paths`() {
    var board = board
    func names() -> [String?] { board.lines(at: .start).map(\.status.device) }
    board.record(.state(.searching, of: "/dev/a"), at: .start)
    #expect(names() == [nil])
    board.record(.change(Samples.change(.pulses(.present, previous: nil))), at: .start)
    #expect(names() == [nil])
    board.record(.change(Samples.selected), at: .start)
    #expect(names() == ["boat"])
    board.record(.state(.searching, of: "/dev/b"), at: .start)
    #expect(names() == ["/dev/a", "/dev/b"])
  }

  @Test func `Corrections come from the latest report`() {
    var board = board
    func corrections() -> [Corrections?] { board.lines(at: .start).map(\.status.corrections) }
    board.record(.state(.searching, of: "/dev/a"), at: .start)
    #expect(corrections() == [nil])
    let lost = Corrections(.lost, of: "c", reason: "x")
    board.record(.event(.corrections(lost)), at: .start)
    #expect(corrections() == [lost])
    for code in [LocationError.Code.disconnected, .notRecorded] {
      board.record(.failed(code, ""), at: .start)
      board.record(.state(.searching, of: "/dev/a"), at: .start)
      // The next run of a recording may not ask for corrections.
      #expect(corrections() == [code == .notRecorded ? nil : lost])
    }
  }

  @Test func `A failed link and a missing receiver are shown with their reasons`() {
    var board = board
    func failures() -> [String?] { board.lines(at: .start).map(\.status.failure) }
    board.record(.failed(.unreachable, "refused"), at: .start)
    #expect(failures() == ["refused"])
    board.record(
      .retry(FailedRetry(LocationError(.unreachable, "no route"), at: .start)), at: .start)
    #expect(failures() == ["no route"])
    board.record(.state(.searching, of: "/dev/a"), at: .start)
    #expect(failures() == [nil])
    var gone = StateChange(.noDevice, of: .receiver("/dev/a"), at: .start)
    gone.reason = "cannot be opened"
    board.record(.state(gone), at: .start)
    #expect(failures() == ["cannot be opened"])
    board.record(.state(.searching, of: "/dev/a"), at: .start)
    #expect(failures() == [nil])
  }

  @Test func `The age counts from the fix, even after it is lost`() {
    var board = board
    board.record(.state(.fix3D, of: Samples.device), at: .start)
    board.record(.fix(Samples.fix), at: .start.advanced(by: .seconds(4)))
    #expect(shown(board, after: 5) == ["fix-3d 1.0 -"])
    var loss = Samples.lost
    loss.lastFix = Samples.fix
    loss.time = nil
    loss.moment.wall = nil
    board.record(.state(loss), at: .start.advanced(by: .seconds(9)))
    #expect(shown(board, after: 12) == ["lost 8.0 -"])
    #expect(board.lines(at: .start).map(\.status.fix) == [nil])
    #expect(board.lines(at: .start).map(\.status.lastFix) == [Samples.fix])
    #expect(board.lines(at: .start).map(\.status.reason) == ["no reports"])
  }

  @Test func `The age of a last fix that was not shown is computed from the clocks`() {
    var board = board
    board.record(.fix(Samples.fix), at: .start)
    // The last one came 10.09 s before by the receiver's clock.
    board.record(.state(Samples.lost), at: .start.advanced(by: .seconds(60)))
    #expect(shown(board, after: 61) == ["lost 11.09 -"])
    var loss = Samples.lost
    loss.lastFix?.time = nil
    loss.lastFix?.received = Samples.time(6, 31)
    board.record(.state(loss), at: .start.advanced(by: .seconds(60)))
    #expect(shown(board, after: 61) == ["lost 1.4 -"])
  }

  @Test func `The last fix is shown until there is another, or a search for one`() {
    var board = board
    for state in [LocationState.lost, .noDevice] {
      var change = Samples.lost
      change.state = state
      board.record(.state(change), at: .start)
      #expect(board.lines(at: .start).map(\.status.lastFix) == [change.lastFix])
    }
    board.record(.state(.searching, of: Samples.device), at: .start)
    #expect(board.lines(at: .start).map(\.status.lastFix) == [nil])
  }

  @Test func `A fix that comes too late after a loss is not shown`() {
    var board = board
    board.record(.state(Samples.lost), at: .start)
    var late = Samples.fix
    late.isCurrent = false
    board.record(.fix(late), at: .start)
    #expect(board.lines(at: .start).map(\.status.fix) == [nil])
    board.record(.state(.fix3D, of: Samples.device), at: .start)
    board.record(.fix(late), at: .start)
    // It was 0.31 s old when it came.
    #expect(shown(board, after: 2) == ["fix-3d 2.31 -"])
  }

  @Test(arguments: [
    (LocationState.lost, LossReason.silence as LossReason?, false), (.lost, .noFix, true),
    (.noDevice, nil, false), (.searching, nil, true), (.searching, .silence, false),
  ])
  func `A silent receiver has no satellites`(
    state: LocationState, loss: LossReason?, sees: Bool
  ) {
    var board = board
    board.record(.state(.fix3D, of: Samples.device), at: .start)
    board.record(.sky(of: Samples.device, seen: 13, used: 9), at: .start)
    board.record(.state(state, of: Samples.device, loss: loss), at: .start)
    #expect(board.lines(at: .start).map(\.status.satellitesSeen) == [sees ? 13 : nil])
    #expect(board.lines(at: .start).map(\.status.satellitesUsed) == [sees ? 9 : nil])
    #expect(board.lines(at: .start).map(\.status.reason) == [loss?.words])
  }

  @Test func `Each receiver has a line, in the order in which they appeared`() {
    var board = board
    board.record(.state(.searching, of: "/dev/b"), at: .start)
    #expect(shown(board) == ["searching 0.0 -"])
    board.record(.state(.searching, of: "/dev/a"), at: .start)
    board.record(.state(.fix3D, of: "/dev/a"), at: .start.advanced(by: .seconds(2)))
    #expect(shown(board, after: 3) == ["searching 3.0 /dev/b", "fix-3d 1.0 /dev/a"])
    board.record(.failed(.disconnected, "closed by gpsd"), at: .start)
    #expect(shown(board, after: 3) == ["no-daemon 3.0 -"])
    board.record(.state(.searching, of: "/dev/a"), at: .start)
    board.record(.state(.searching, of: "/dev/b"), at: .start)
    #expect(shown(board) == ["searching 0.0 /dev/b", "searching 0.0 /dev/a"])
  }

  @Test func `41: receivers that are gone make room, and then those without a position`() {
    var board = board
    for number in 0..<64 {
      let state: LocationState = number == 0 ? .fix2D : number == 3 ? .noDevice : .lost
      board.record(.state(state, of: "/dev/\(number)"), at: .start)
    }
    board.record(.state(.fix3D, of: "/dev/new"), at: .start)
    board.record(.state(.fix3D, of: "/dev/more"), at: .start)
    let paths = board.lines(at: .start).map(\.path)
    #expect(paths.count == 64)
    #expect(paths.first == "/dev/0")
    #expect(paths.suffix(2) == ["/dev/new", "/dev/more"])
    #expect(!paths.contains("/dev/3") && !paths.contains("/dev/1"))
  }

  @Test func `41: a receiver with a position keeps its line`() {
    var board = board
    board.record(.state(.fix3D, of: "/dev/a"), at: .start)
    for number in 0..<1000 { board.record(.state(.fix3D, of: "/dev/\(number)"), at: .start) }
    board.record(.state(.searching, of: "/dev/b"), at: .start)
    let paths = board.lines(at: .start).map(\.path)
    #expect(paths.count == 64 && paths.first == "/dev/a" && !paths.contains("/dev/b"))
  }

  @Test func `A failed link shows the last fix, and counts down to the retry`() throws {
    var board = board
    board.record(.state(.fix3D, of: "/dev/a"), at: .start)
    var failure = Samples.noService
    failure.lastFix = Samples.fix
    failure.time = Samples.fix.time?.advanced(by: .seconds(5))
    board.record(.state(failure), at: .start)
    func status(after seconds: Int) throws -> LiveStatus {
      try #require(board.lines(at: .start.advanced(by: .seconds(seconds))).first).status
    }
    #expect(try status(after: 0).retryIn == .seconds(1))
    #expect(try status(after: 3).retryIn == .seconds(-2))
    #expect(try status(after: 3).lastFix == Samples.fix)
    #expect(try status(after: 3).age == .seconds(8))
    let retry = FailedRetry(
      LocationError(.unreachable), retryIn: .seconds(4), at: .start.advanced(by: .seconds(3)))
    board.record(.retry(retry), at: retry.moment)
    #expect(try status(after: 5).retryIn == .seconds(2))
    #expect(try status(after: 5).duration == .seconds(5))
  }

  @Test func `A link that failed before counts its outage from the new failure`() {
    var board = board
    board.record(.failed(.disconnected, "closed by gpsd"), at: .start)
    let back = Moment.start.advanced(by: .seconds(10))
    board.record(.state(.fix3D, of: "/dev/a"), at: back)
    board.record(.failed(.disconnected, "closed by gpsd"), at: back.advanced(by: .seconds(50)))
    #expect(shown(board, after: 63) == ["no-daemon 3.0 -"])
  }

  @Test func `A position of before the link failed is not shown after it`() {
    var board = board
    board.record(.state(.fix3D, of: Samples.device), at: .start)
    board.record(.fix(Samples.fix), at: .start)
    board.record(.failed(.disconnected, "closed by gpsd"), at: .start)
    board.record(.state(.fix3D, of: Samples.device), at: .start)
    #expect(board.lines(at: .start).map(\.status.state) == [.fix3D])
    #expect(board.lines(at: .start).map(\.status.fix) == [nil])
  }

  @Test func `A state that is reported again counts from its beginning, but not over a failure`() {
    var board = board
    func record(_ update: LocationUpdate, at second: Int) {
      board.record(update, at: .start.advanced(by: .seconds(second)))
    }
    record(.state(.searching, of: "/dev/a"), at: 0)
    record(.state(.searching, of: "/dev/a", loss: .silence), at: 2)
    #expect(shown(board, after: 5) == ["searching 5.0 -"])
    record(.failed(.disconnected, "closed by gpsd"), at: 6)
    record(.state(.searching, of: "/dev/a"), at: 8)
    #expect(shown(board, after: 9) == ["searching 1.0 -"])
  }

  /// State, time and device of each line.
  private func shown(_ board: StatusBoard, after seconds: Int = 0) -> [String] {
    board.lines(at: .start.advanced(by: .seconds(seconds))).map(\.status).map { status in
      let time = status.age ?? status.duration
      return "\(status.state.rawValue) \(time?.inSeconds ?? -1) \(status.device ?? "-")"
    }
  }
}
