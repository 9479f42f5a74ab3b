import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct StatusBoardTests {
  private var board = StatusBoard()

  @Test func `The link is shown until a receiver reports`() {
    var board = board
    #expect(board.status(at: .start) == nil)
    board.note(.state(StateChange(.connecting, at: .start)), at: .start)
    #expect(shown(board, after: 2) == "connecting 2.0 -")
    board.note(.sky(of: "/dev/a", seen: 5, used: 0), at: .start)
    #expect(shown(board, after: 2) == "connecting 2.0 -")
    board.note(.state(.searching, of: "/dev/a"), at: .start.advanced(by: .seconds(2)))
    #expect(shown(board, after: 5) == "searching 3.0 -")
    #expect(board.status(at: .start)?.satellitesSeen == 5)
  }

  @Test func `The age counts from the fix, and from the loss when it is lost`() {
    var board = board
    board.note(.state(.fix3D, of: Samples.device), at: .start)
    board.note(.fix(Samples.fix), at: .start.advanced(by: .seconds(4)))
    #expect(shown(board, after: 5) == "fix-3d 1.0 -")
    board.note(.state(.lost, of: Samples.device), at: .start.advanced(by: .seconds(9)))
    #expect(shown(board, after: 12) == "lost 3.0 -")
    #expect(board.status(at: .start)?.fix == nil)
  }

  @Test func `Two receivers do not take turns`() {
    var board = board
    board.note(.state(.searching, of: "/dev/a"), at: .start)
    board.note(.state(.searching, of: "/dev/b"), at: .start)
    #expect(shown(board) == "searching 0.0 /dev/a")
    board.note(.state(.fix2D, of: "/dev/b"), at: .start)
    #expect(shown(board) == "fix-2d 0.0 /dev/b")
    board.note(.state(.fix2D, of: "/dev/a"), at: .start)
    #expect(shown(board) == "fix-2d 0.0 /dev/b")
    board.note(.state(.fix3D, of: "/dev/a"), at: .start)
    #expect(shown(board) == "fix-3d 0.0 /dev/a")
    board.note(.state(.noDevice, of: "/dev/a"), at: .start)
    #expect(shown(board) == "fix-2d 0.0 /dev/b")
  }

  @Test func `A link that fails takes all receivers with it`() {
    var board = board
    board.note(.state(.fix3D, of: "/dev/a"), at: .start)
    board.note(.failed(.disconnected, "closed by gpsd"), at: .start)
    #expect(shown(board) == "no-daemon 0.0 -")
  }

  /// State, time and device.
  private func shown(_ board: StatusBoard, after seconds: Int = 0) -> String? {
    board.status(at: .start.advanced(by: .seconds(seconds))).map { status in
      "\(status.state.rawValue) \(status.elapsed?.inSeconds ?? -1) \(status.device ?? "-")"
    }
  }
}
