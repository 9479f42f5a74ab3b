import GPSDLocation
import LocationCore
import LocationTestKit

/// A run that was recorded, of one source or of several, in one or more files that follow each other.
struct RecordedRun {
  /// A file, and when it begins by the clock of the machine that wrote it.
  struct File {
    var start: Timestamp
    var bytes: [UInt8] = []
  }

  private struct Line {
    var elapsed: Duration
    var source: String?
    var text: String
  }

  private(set) var files: [File] = []
  /// The neighbours, with the names of their sources.
  private(set) var neighbours: [(neighbour: Neighbour, source: String?)] = []
  private(set) var lines = 0
  /// When the run ends.
  private(set) var end: Timestamp

  /// - Parameters:
  ///   - name: Distinguishes the receivers of the run from those of others.
  ///   - sources: The names of the sources; none for a run of a single one.
  ///   - isOdd: Whether the reports and the time stamps may be such as never occur.
  init(
    _ name: String, of sources: [String], from start: Timestamp, isOdd: Bool,
    _ random: inout SeededRandom
  ) {
    end = start
    var all: [Line] = []
    for source in sources.isEmpty ? [nil] : sources.map(Optional.some) {
      let path = "/dev/\(name)-\(source ?? "one")"
      let script = FuzzScript(
        name: path, isOdd: isOdd, epochs: .random(in: 1...40, using: &random),
        neighbour: Neighbour(path: "\(path)/neighbour"), &random)
      lines += script.lines
      if let neighbour = script.neighbour { neighbours.append((neighbour, source)) }
      var elapsed = Duration.zero
      for step in script.steps {
        switch step {
        case .wait(let pause): elapsed += pause
        case .line(let text): all.append(Line(elapsed: elapsed, source: source, text: text))
        case .hangUp, .refuse, .setClock: break
        }
      }
    }
    // In the order in which they came; those of one moment by their sources.
    let order = all.indices.sorted { (all[$0].elapsed, $0) < (all[$1].elapsed, $1) }
    write(order.map { all[$0] }, from: start, isOdd: isOdd, &random)
  }

  private mutating func write(
    _ lines: [Line], from start: Timestamp, isOdd: Bool, _ random: inout SeededRandom
  ) {
    let rotation = random.pick([Int.max, Int.max, 40, 10])
    var last: Line?
    var inFile = 0
    var fileStart = Duration.zero
    for line in lines {
      if files.isEmpty || inFile >= rotation {
        fileStart = line.elapsed
        files.append(File(start: start.advanced(by: fileStart)))
        (last, inFile) = (nil, 0)
      }
      let file = files.count - 1
      if last?.elapsed != line.elapsed || last?.source != line.source {
        RecordingTimestamp(
          elapsed: line.elapsed - fileStart, start: last == nil ? files[file].start : nil,
          source: line.source
        ).append(to: &files[file].bytes)
      }
      if isOdd, random.happens(onceIn: 30) {
        files[file].bytes += OddTimestamp.any(of: line.source, &random).utf8
        files[file].bytes += "\r\n".utf8
      }
      files[file].bytes += line.text.utf8
      files[file].bytes += "\r\n".utf8
      inFile += 1
      last = line
      end = start.advanced(by: line.elapsed)
    }
  }
}
