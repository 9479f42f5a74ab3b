import Glibc
import LocationCore
import LocationFormats
import LocationReports
import LocwatchSystem
import LocwatchTerminal

/// Writes a file for each leg of one receiver.
///
/// A stop is certain only when the receiver has stood still for the minimum duration of a stop. The fixes of
/// that time are held.
struct LegWriter: Sendable {
  /// The maximum number of held fixes: 27 hours at one a second, in about 120 MB.
  private static let maximumHeld = 100_000
  /// The number of fixes that are written early if there are more. Each time, all others move in memory.
  private static let excess = 1000

  private let folder: LegFolder
  private let style: OutputStyle
  private var monitor: TripMonitor
  private var held: [(update: LocationUpdate, moment: Moment)] = []
  private var file: (stream: StreamPresenter, path: FilePath)?
  /// The path of the receiver.
  private var device: String?
  /// The number of files that were written.
  private(set) var files = 0

  init(to folder: LegFolder, _ style: OutputStyle) {
    self.folder = folder
    self.style = style
    monitor = TripMonitor(style.stops)
  }

  /// When the current leg ends if no fix comes; `nil` if there is no leg.
  var deadline: Moment? { monitor.deadline }

  /// Handles a current fix, or a transition.
  mutating func handle(_ update: LocationUpdate, at moment: Moment) throws(OutputError) {
    if held.count == Self.maximumHeld { try writeHeld(Self.excess) }
    held.append((update, moment))
    guard case .fix(let fix) = update else { return }
    device = fix.device
    try perform(monitor.handle(fix, at: moment))
    if let undecided = monitor.undecided { try writeHeld(while: { $0 < undecided }) }
  }

  /// Writes the fixes of the leg, and ends the leg if it has been silent for too long.
  mutating func flush(at now: Moment) throws(OutputError) {
    if let deadline, deadline <= now { try perform(monitor.expire(at: now)) }
    try file?.stream.flush(at: now)
  }

  /// Ends the current leg or stop.
  mutating func finish() throws(OutputError) {
    try perform(monitor.finish())
    held = []
  }

  /// Closes the document of the file as far as space allows, after an error of this file or of another one.
  mutating func close() {
    try? file?.stream.finish(waitsForReader: true)
    if let path = file?.path, path.status?.st_size == 0 { path.remove() }
    file = nil
    held = []
  }

  private mutating func perform(_ events: [TripEvent]) throws(OutputError) {
    for event in events {
      switch event {
      case .legBegan(let from):
        try writeHeld(while: { $0 < from.moment })
        file = try createFile(from)
        files += 1
      case .legEnded(let leg):
        try writeHeld(while: { $0 <= leg.end.moment })
        try file?.stream.finish(waitsForReader: true)
        file = nil
      case .stopBegan, .stopEnded, .gapEnded: break
      }
    }
  }

  private func createFile(
    _ from: Leg.End
  ) throws(OutputError) -> (stream: StreamPresenter, path: FilePath) {
    let receiver = device.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "receiver"
    let (path, descriptor) = try folder.createFile(
      of: style.records.source ?? receiver, at: from.time ?? from.moment.wall)
    var stream = StreamPresenter(to: OutputSink(descriptor, waitsForReader: true))
    stream.add(style, as: 0)
    stream.begin(at: from.moment)
    return (stream, path)
  }

  /// Writes the held fixes that are decided, or drops them if there is no leg.
  private mutating func writeHeld(while isDecided: (Moment) -> Bool) throws(OutputError) {
    try writeHeld(held.prefix { isDecided($0.moment) }.count)
  }

  private mutating func writeHeld(_ count: Int) throws(OutputError) {
    for (update, moment) in held.prefix(count) {
      file?.stream.present(update, of: 0, at: moment)
    }
    held.removeFirst(count)
  }
}
