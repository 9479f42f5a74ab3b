import LocwatchSystem

/// One connection to a caster, NTRIP 1 or 2: it makes a request, and interprets the bytes that arrive. It
/// uses neither sockets nor time.
package struct NTRIPExchange {
  /// What is requested.
  package enum Request: Equatable {
    case table
    case corrections
  }

  /// What has arrived.
  package enum Event: Equatable {
    /// A frame of RTCM 3.
    case frame([UInt8])
    /// The table of mount points, with its last line.
    case table(CasterTable)
    case failed(Failure)
  }

  package struct Failure: Equatable {
    /// A short text for people.
    package var reason: String
    /// Whether the caster said no, so that nothing is different a moment later.
    var isRefusal = false
  }

  private enum Phase {
    case header([UInt8])
    case table(CasterTable)
    case corrections
    case over
  }

  let request: Request
  /// What the caster is sent.
  package let text: String
  private let address: CasterAddress
  private var phase = Phase.header([])
  private var framer = RTCMFramer()
  /// `nil` for what does not come in chunks.
  private var chunks: ChunkReader?

  package init(_ request: Request, from address: CasterAddress, as user: CasterUser?) {
    self.request = request
    self.address = address
    let path = request == .table ? "" : address.mount
    var lines = [
      "GET /\(path) HTTP/1.1", "Host: \(address.authority)", "Ntrip-Version: Ntrip/2.0",
      "User-Agent: NTRIP locwatch/\(version)", "Accept: */*", "Connection: close",
    ]
    if let user { lines.append("Authorization: Basic \(user.encoded)") }
    text = lines.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// Whether the caster sends corrections.
  var isAccepted: Bool { if case .corrections = phase { true } else { false } }

  /// How many bytes were skipped because they are no frames.
  var skippedCount: Int { framer.skippedCount }

  /// Handles what the caster sent.
  package mutating func receive(_ bytes: [UInt8]) -> [Event] {
    var bytes = bytes
    if case .header(let before) = phase {
      bytes = before + bytes
      guard let header = NTRIPHeader(takingFrom: &bytes) else {
        guard bytes.count <= NTRIPHeader.maximumLength else {
          return fail("its header has no end in \(NTRIPHeader.maximumLength) bytes")
        }
        phase = .header(bytes)
        return []
      }
      if header.isChunked { chunks = ChunkReader() }
      switch header.content {
      case .corrections:
        guard request == .corrections else { return fail("it has no table") }
        phase = .corrections
      case .sourceTable: phase = .table(CasterTable(for: address.mount))
      case .refusal(let reason): return fail(reason, isRefusal: true)
      case .nonsense(let reason): return fail(reason)
      }
    }
    return receiveBody(bytes)
  }

  private mutating func receiveBody(_ bytes: [UInt8]) -> [Event] {
    let data = chunks?.data(in: bytes) ?? bytes
    var events: [Event] = []
    switch phase {
    case .header, .over: return []
    case .corrections: events = framer.add(data).map { .frame($0) }
    case .table(var table):
      table.add(data)
      phase = .table(table)
      if table.isComplete { return finish(table) }
    }
    if chunks?.isDamaged == true { return events + fail("its chunks are damaged") }
    return chunks?.isOver == true ? events + close() : events
  }

  /// Handles that the caster sends nothing more.
  package mutating func close() -> [Event] {
    switch phase {
    case .table(let table): finish(table)
    case .header, .corrections: fail("closed by the caster")
    case .over: []
    }
  }

  /// A table instead of corrections means that there are none.
  private mutating func finish(_ table: CasterTable) -> [Event] {
    guard request == .table else { return fail(table.reason, isRefusal: true) }
    phase = .over
    var table = table
    table.finish()
    return [.table(table)]
  }

  private mutating func fail(_ reason: String, isRefusal: Bool = false) -> [Event] {
    phase = .over
    return [.failed(Failure(reason: reason, isRefusal: isRefusal))]
  }
}
