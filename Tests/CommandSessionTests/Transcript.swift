import LocwatchTerminalTestSupport
import LocwatchTestSupport

@testable import LocwatchSystem

/// What came out of a command so far.
struct Transcript {
  private let stage: Stage
  private let isTimed: Bool
  private let isOfView: Bool
  private(set) var lines: [String] = []
  /// The beginnings of lines that have not ended.
  private var begun = (output: "", errors: "")
  private var screen: DrawnScreen
  /// The rows of a view when it was last looked at.
  private var seen: [String] = []
  /// What fills the pipe of a reader that does not read; `nil` for one that does.
  private var filler: Int?

  /// - Parameter isTimed: Whether the moments of lines are shown.
  init(of stage: Stage, isTimed: Bool, isOfView: Bool) {
    self.stage = stage
    self.isOfView = isOfView
    self.isTimed = isTimed
    screen = DrawnScreen(stage.screen.size)
  }

  /// Takes the new size of the terminal. Of a view, all rows count as changed.
  mutating func followSize() {
    screen.resize(to: stage.screen.size)
    seen = []
  }

  /// - Parameter moment: In milliseconds.
  mutating func add(_ line: String, at moment: Int) {
    guard !line.isEmpty else { return }
    lines.append(Self.stamp(isTimed, moment) + stage.shown(line))
  }

  private static func stamp(_ isTimed: Bool, _ moment: Int) -> String {
    isTimed ? "@\(Double(moment) / 1000) " : ""
  }

  /// Adds the lines that were written.
  mutating func takeOutput(at moment: Int) {
    if isOfView {
      screen.follow(stage.screen.takeText())
    } else if stage.hasTerminal {
      return screen.follow(stage.output.takeText())
    }
    if filler == nil { take(stage.output, \.output, at: moment) }
    if stage.errors !== stage.output { take(stage.errors, \.errors, at: moment) }
  }

  private mutating func take(
    _ pipe: PipeEnds, _ text: WritableKeyPath<(output: String, errors: String), String>,
    at moment: Int
  ) {
    var lines = (begun[keyPath: text] + pipe.takeText())
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    begun[keyPath: text] = String(lines.removeLast())
    for line in lines { add(String(line), at: moment) }
  }

  /// Adds the rows of the terminal: of a view, those that have changed since the last look. After a `press` and for a
  /// `glance`, these are the first row and the last one instead, which show a moment of a replay, and a message.
  mutating func look(after event: String, at moment: Int) {
    lines.append(Self.stamp(true, moment) + event)
    if event.hasPrefix("press ") || event == "glance" {
      for row in [screen.rows.first, screen.rows.last] {
        if let row, !row.isEmpty { lines.append("| \(row)") }
      }
      return
    }
    for (index, row) in screen.rows.enumerated() {
      let before = isOfView && index < seen.count ? seen[index] : ""
      if row != before { lines.append("| \(row)") }
    }
    seen = screen.rows
  }

  /// Adds the answer to a request. The body goes into a file, if the request names one.
  mutating func add(_ answer: PageRequest.Answer, to request: PageRequest, at moment: Int) {
    lines.append(Self.stamp(true, moment) + "get \(request.path): \(answer.status)")
    guard let file = request.file else {
      lines += answer.body.split(whereSeparator: \.isNewline).map { "< \(stage.shown("\($0)"))" }
      return
    }
    do { try stage.folder.write(answer.body, to: file) } catch { lines.append("\(error)") }
  }

  /// Fills the pipe of the output.
  mutating func stopReading() {
    let piece = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
    var count = 0
    while case .wrote(let written) = stage.output.descriptor.write(piece[...]) { count += written }
    filler = count
  }

  /// Empties it again.
  mutating func continueReading() {
    if let filler { _ = stage.output.read(upTo: filler) }
    filler = nil
  }

  /// Returns all lines, with those of the end.
  mutating func end(_ status: ExitStatus?, at moment: Int) -> [String] {
    takeOutput(at: moment)
    add(begun.output, at: moment)
    add(begun.errors, at: moment)
    // A view leaves nothing on the terminal.
    if stage.hasTerminal, !isOfView { look(after: "end", at: moment) }
    let calls = stage.screen.takeCalls()
    if !calls.isEmpty, calls.last != .hide { add("the view stays on the terminal", at: moment) }
    add("= \(status.map { "\($0.rawValue)" } ?? "none")", at: moment)
    return lines
  }
}
