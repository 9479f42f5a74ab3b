import LocationCore

/// A recording while it is read: what comes next, and when it came.
struct Recording: Sendable {
  enum Origin: Sendable {
    case bytes([UInt8])
    /// One after the other.
    case files([RecordingFile])
  }

  /// How much is read at once.
  private static let piece = 64 * 1024
  /// So many pieces are read in a row before others on the same actor have a turn: some milliseconds.
  private static let piecesInTurn = 16

  /// The recording's own time, that of the last read.
  var now = Moment(uptime: .zero)
  private var bytesRead = 0

  private let origin: Origin
  private var framer = LineFramer()
  /// Which of the files is read.
  private var place = 0
  private var fileIsOver = false
  /// Whether it is clear that the file is a recording.
  private var isKnown = false
  /// Whether all was read, and said but for what ``takeAhead()`` has.
  private(set) var isExhausted = false
  private var piecesLeft = Self.piecesInTurn
  private var failure: GPSDError?
  private var clock = RecordingClock()
  /// When it began by the real clock; `nil` before it was opened.
  private var realStart: Moment?

  /// What the files have in them, up to the one that is read.
  private(set) var contents: [RecordingContents] = []

  /// What was read to find out when the recording began, and is no part of that.
  private var first: LineFramer.Frame?
  /// A line that was read before its time, and when that is.
  private var ahead: (read: GPSDRead, moment: Moment)?
  private var decoder = GPSDDecoder()

  init(_ origin: Origin) {
    self.origin = origin
    noteFile()
  }

  private mutating func noteFile() {
    if let file { contents.append(RecordingContents(name: file.name)) }
    isKnown = file == nil
  }

  mutating func rewind(at real: Moment) {
    if case .files(let files) = origin, bytesRead > 0 { for file in files { file.rewind() } }
    let origin = origin
    self = Recording(origin)
    begin()
    realStart = real.advanced(by: .zero - now.uptime)
  }

  /// Finds out when the recording began, where that can be done without waiting for anybody.
  mutating func begin() {
    if let file, file.size == nil { return }
    // An error comes again with the first line that is wanted.
    guard bytesRead == 0, (try? refill()) ?? nil ?? 0 > 0, let frame = framer.next() else { return }
    if case .line(let bytes) = frame, let time = RecordedTime(line: bytes) {
      clock.advance(to: time)
      now = clock.now
    } else {
      first = frame
    }
  }

  /// How many bytes the lines had that were said so far.
  var bytesSaid: Int { bytesRead - framer.pending }

  /// When a recorded moment is due by the real clock; `nil` before the recording was opened.
  func realMoment(of moment: Moment, speed: Double) -> Moment? {
    realStart?.later(by: Nanoseconds(moment.uptime).divided(by: speed))
  }

  /// Time goes by without a line. It never goes back.
  mutating func pass(to moment: Moment) {
    now = now.later(by: max(.zero, now.nanoseconds(to: moment)))
  }

  /// Whether others are to have a turn before more is read. It is theirs with this call.
  mutating func endTurn() -> Bool {
    defer { piecesLeft = Self.piecesInTurn }
    return piecesLeft == 0
  }

  /// The next line, at once; `nil` where it has not come yet, and where others are to have a turn. Lines
  /// without a receive time have none, and their reader takes the reports' own.
  mutating func readNext() throws(GPSDError) -> GPSDRead? {
    if let failure { throw failure }
    let read = try nextFrame()
    now = max(now, clock.now)
    return read
  }

  /// The same, where it is no end: that, be it an error, comes with the next ``readNext()``.
  mutating func readLine() -> GPSDRead? {
    do throws(GPSDError) {
      switch try readNext() {
      case .ended, nil: return nil
      case let read?: return read
      }
    } catch {
      failure = error
      return nil
    }
  }

  /// What is known of the next line before its time.
  enum Outlook: Equatable {
    case due(Moment)
    case over
    case notYet
  }

  mutating func lookAhead() throws(GPSDError) -> Outlook {
    if ahead == nil {
      guard var read = try nextFrame() else { return .notYet }
      switch read {
      case .line(var line):
        if !clock.isTimed, case let kind = decoder.decode(line.bytes.span) {
          clock.advance(toReportOf: decoder.time(of: kind))
        }
        line.received = clock.now
        read = .line(line)
      case .discarded(let count, _):
        read = .discarded(bytes: count, at: clock.now)
      case .timedOut, .ended: break
      }
      ahead = (read, clock.now)
    }
    return ahead?.read == .ended ? .over : .due(clock.now)
  }

  /// The line that was looked at.
  mutating func takeAhead() -> GPSDRead {
    guard let ahead else { return .ended }
    self.ahead = nil
    now = max(now, ahead.moment)
    return ahead.read
  }

  /// `nil` where the next line of a stream has not come yet, and where others are to have a turn.
  private mutating func nextFrame() throws(GPSDError) -> GPSDRead? {
    while true {
      let frame = first ?? framer.next()
      first = nil
      switch frame {
      case .line(let bytes):
        if let time = RecordedTime(line: bytes) {
          clock.advance(to: time)
        } else {
          if !isKnown { look(at: bytes) }
          return .line(GPSDLine(bytes: bytes, received: clock.momentOfLine()))
        }
      case .discarded(let count):
        if !isKnown { contents[place].noteDiscard() }
        return .discarded(bytes: count, at: clock.momentOfLine())
      case nil:
        guard !isExhausted else { return .ended }
        guard !fileIsOver else {
          beginNextFile()
          continue
        }
        if let file, !file.isReadable() { return nil }
        guard piecesLeft > 0, let count = try refill() else { return nil }
        if count == 0 {
          fileIsOver = true
          // The last line may be whole and have no end.
          if framer.pending > 0 { framer.append([UInt8(ascii: "\n")]) }
        }
      }
    }
  }

  /// The file that is read, where it is one.
  var file: RecordingFile? {
    guard case .files(let files) = origin, place < files.count else { return nil }
    return files[place]
  }

  private mutating func beginNextFile() {
    place += 1
    fileIsOver = false
    isExhausted = file == nil
    clock.beginFile()
    noteFile()
  }

  private mutating func look(at line: ArraySlice<UInt8>) {
    contents[place].note(line, by: &decoder)
    isKnown = contents[place].isOfReceivers
  }

  /// Returns how many bytes came, 0 at the end, and `nil` where there is nothing yet.
  private mutating func refill() throws(GPSDError) -> Int? {
    let count: Int?
    switch origin {
    case .bytes(let bytes):
      let rest = bytes[bytesRead...].prefix(Self.piece)
      framer.append(rest)
      count = rest.count
    case .files(let files):
      count = try files[place].read(upTo: Self.piece, into: &framer)
    }
    piecesLeft -= 1
    bytesRead += count ?? 0
    if !isKnown, let count, count > 0 { contents[place].isEmpty = false }
    return count
  }
}
