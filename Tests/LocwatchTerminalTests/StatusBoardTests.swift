import LocationCore
import Testing

@testable import LocwatchTerminal

/// Fault 67.
@Suite struct StatusBoardTests {
  private var board = StatusBoard()

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

  @Test func `A position of before the link failed is not shown after it`() {
    var board = board
    board.record(.state(.fix3D, of: Samples.device), at: .start)
    board.record(.fix(Samples.fix), at: .start)
    board.record(.failed(.disconnected, "closed by gpsd"), at: .start)
    board.record(.state(.fix3D, of: Samples.device), at: .start)
    #expect(board.lines(at: .start).map(\.status.state) == [.fix3D])
    #expect(board.lines(at: .start).map(\.status.fix) == [nil])
  }

  /// State, time and device of each line.
  private func shown(_ board: StatusBoard, after seconds: Int = 0) -> [String] {
    board.lines(at: .start.advanced(by: .seconds(seconds))).map(\.status).map { status in
      let time = status.age ?? status.duration
      return "\(status.state.rawValue) \(time?.inSeconds ?? -1) \(status.device ?? "-")"
    }
  }
}
