import LocationCore
import LocationFormats
import LocationTestKit
import LocationText
import LocwatchCLI
import LocwatchSystem
import LocwatchTerminal

/// Reports of gpsd into `--view`, without a terminal: sizes that change, keys at random, and receivers
/// that come and go. What is sent to the terminal makes of each frame the next.
package struct ViewTarget: FuzzTarget {
  private static let sizes = [
    (80, 24), (80, 24), (100, 30), (120, 34), (120, 40), (200, 60), (60, 14), (59, 14), (60, 13),
    (40, 12), (20, 5), (10, 3), (1, 1), (2, 2), (0, 0), (0, 24), (80, 0), (1, 100), (300, 1),
    (119, 34), (500, 14), (60, 100),
  ]
  /// They are slow, and so are left at once.
  private static let largeSizes = [
    (1000, 300), (1001, 301), (4000, 4000), (65_535, 65_535), (65_535, 1), (1, 65_535),
  ]
  private static let maximumFrames = 80
  private static let keys: [[UInt8]] = [
    Array("\t".utf8), Array("\u{1B}[Z".utf8), Array("1".utf8), Array("9".utf8), [0x0C],
    Array("\u{1B}[A".utf8), Array("\u{1B}[B".utf8), Array("\u{1B}".utf8), Array("\u{1B}[1;5".utf8),
    Array("?".utf8),
  ]
  private static let messages = [
    "gpsd went away", "a\nb\nc", "", "\u{1B}[2J\u{202E}", "\u{1F6F0} \u{4E2D}\u{6587} e\u{301}",
    String(repeating: "word ", count: 400), String(repeating: "\u{4E2D}", count: 300),
  ]

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    let script = FuzzScript(
      name: random.pick(names), isOdd: seed % 2 == 1, &random)
    tally.lines += script.lines
    var updates = ScriptUpdates(script, &random)
    var screen = Screen(&random)
    var complaint: String?
    while complaint == nil {
      var pauses: [Moment] = []
      guard let (update, moment) = try await updates.next(pause: { pauses.append($0) }) else {
        break
      }
      for pause in pauses.prefix(2) where complaint == nil {
        complaint = screen.complaint(afterDrawingAt: pause, &random)
      }
      screen.model.record(update, at: moment)
      if complaint == nil, random.happens(onceIn: 12) {
        complaint = screen.complaint(afterDrawingAt: moment, &random)
      }
    }
    screen.model.end()
    tally.checks += screen.frames
    return complaint ?? screen.complaint(afterDrawingAt: updates.end, &random)
  }

  private var names: [String] {
    ["/dev/gps", "/dev/\u{4E2D}\u{6587}", "/dev/e\u{301}\u{1F6F0}", "/", "/dev/serial/by-id/usb-u"]
  }

  /// The view, and the terminal that it is on.
  private struct Screen {
    var model = ViewModel()
    private(set) var frames = 0
    private let renderer: ViewRenderer
    private let writer: FrameWriter
    private var size = (columns: 80, rows: 24)
    private var shown: Canvas?
    private var keys = ViewKeyDecoder()
    private var showsKeys = false
    private var terminal: ModelTerminal?

    init(_ random: inout SeededRandom) {
      var style = TerminalStyle()
      style.showsUTF8 = Int.random(in: 0..<4, using: &random) > 0
      style.usesColor = random.happens(onceIn: 2)
      style.units = random.pick([.metric, .imperial, .nautical])
      let forms: [CoordinateStyle] = [.decimal, .utm, .mgrs, .maidenhead]
      style.coordinates = random.pick(forms)
      renderer = ViewRenderer(style: style)
      let colors: [FrameWriter.Colors] = [.none, .eight, .many]
      writer = FrameWriter(colors: random.pick(colors))
    }

    mutating func complaint(
      afterDrawingAt moment: Moment, _ random: inout SeededRandom
    ) -> String? {
      if random.happens(onceIn: 4) {
        size = random.pick(ViewTarget.sizes)
      }
      pressKeys(at: moment, &random)
      if random.happens(onceIn: 20) {
        model.show(random.pick(ViewTarget.messages))
      }
      guard frames < ViewTarget.maximumFrames else { return nil }
      frames += 1
      let isLarge = random.happens(onceIn: 200)
      let (columns, rows) = isLarge ? random.pick(ViewTarget.largeSizes) : size
      var content = model.content(at: moment)
      content.showsKeys = showsKeys
      let canvas = renderer.canvas(of: content, columns: columns, rows: rows)
      if let complaint = CanvasCheck.complaint(about: canvas, columns: columns, rows: rows) {
        return "\(columns) x \(rows): \(complaint)"
      }
      if terminal?.columns != canvas.columns || terminal?.rows != canvas.rows {
        terminal = ModelTerminal(columns: canvas.columns, rows: canvas.rows)
      }
      var text = TextBuffer()
      writer.write(canvas, over: shown, into: &text)
      shown = canvas
      return terminal?.complaint(about: Array(text.bytes), drawing: canvas)
        .map { "\(columns) x \(rows): \($0)" }
    }

    private mutating func pressKeys(at moment: Moment, _ random: inout SeededRandom) {
      guard random.happens(onceIn: 3) else { return }
      var bytes = random.pick(ViewTarget.keys)
      if random.happens(onceIn: 4) {
        bytes += (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      for key in keys.keys(in: bytes) {
        let action = ViewAction(key, isReplay: random.happens(onceIn: 2))
        showsKeys = action == .showKeys
        switch action {
        case .choose(let place): model.choose(place, at: moment)
        case .repaint: shown = nil
        case .quit, .showKeys, .freeze, .control, nil: break
        }
      }
    }
  }
}
