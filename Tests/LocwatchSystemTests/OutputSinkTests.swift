import Glibc
import LocationCore
import LocwatchTestSupport
import Testing

@testable import LocationText
@testable import LocwatchSystem

@Suite struct OutputSinkTests {
  /// A record of this many bytes, its line end included.
  private func record(_ index: Int, of count: Int) -> [UInt8] {
    Array(String(repeating: String(index % 10), count: count - 1).utf8) + [0x0A]
  }

  private func append(_ bytes: [UInt8], to sink: inout OutputSink) {
    sink.text.append(text: String(decoding: bytes, as: UTF8.self))
    sink.endRecord(trailer: "")
  }

  @Test(arguments: [40 * 1024, 32 * 1024, 32 * 1024 + 1, 70 * 1024, 100])
  func `what the reader could not take at once follows later, whole and in order`(
    size: Int
  ) throws {
    let pipe = try PipeEnds()
    var sink = OutputSink(pipe.descriptor, waitsForReader: false)
    var sent: [UInt8] = []
    var received: [UInt8] = []
    for round in 0..<3 {
      for index in 0..<max(4, 200_000 / size) {
        let record = record(round + index, of: size)
        sent += record
        append(record, to: &sink)
        try sink.flush()
      }
      #expect(sink.isBlocked)
      #expect(sink.blockedOutput === pipe.descriptor)
      // A reader that takes part of the pipe makes room for the next records, but not for all.
      received += pipe.read(upTo: 40 * 1024)
      try sink.flush()
      #expect(!sink.isEmpty)
    }
    while !sink.isEmpty {
      received += pipe.readAll()
      try sink.flush()
    }
    received += pipe.readAll()
    // Not compared as arrays: of a difference, all edits would be looked for.
    let isSame = received == sent
    #expect(isSame, "\(received.count) of \(sent.count) bytes")
    #expect(!sink.isBlocked)
    #expect(sink.blockedOutput == nil)
    #expect(sink.text.count == 0)
  }

  @Test func `a record that comes while another one is half written ends where it ends`() throws {
    let pipe = try PipeEnds()
    var sink = OutputSink(pipe.descriptor, waitsForReader: false)
    append(record(0, of: 48 * 1024), to: &sink)
    append(record(1, of: 32 * 1024), to: &sink)
    try sink.flush()
    #expect(sink.pendingRecords == 1 && sink.isBlocked)
    append(record(2, of: 100), to: &sink)
    #expect(sink.pendingRecords == 2)
    #expect(pipe.readAll().count == 64 * 1024)
    try sink.flush()
    #expect(sink.pendingRecords == 0 && sink.isEmpty)
    #expect(pipe.readAll().count == 16 * 1024 + 100)
  }

  @Test func `it is worth writing from 32 KiB of unwritten bytes on`() throws {
    let pipe = try PipeEnds()
    var sink = OutputSink(pipe.descriptor, waitsForReader: false)
    append(record(0, of: 32 * 1024 - 1), to: &sink)
    #expect(!sink.isWorthWriting && !sink.isEmpty)
    sink.text.append(character: "\n")
    #expect(sink.isWorthWriting)
    try sink.flush()
    #expect(!sink.isWorthWriting && sink.isEmpty)
  }

  @Test
  func
    `transitions and other changes have room until more than 1 MiB waits, and anything else always`()
    throws
  {
    let pipe = try PipeEnds()
    let (state, fix) = (LocationUpdate.state(.lost, of: "/dev/a"), LocationUpdate.fix(.fix3D))
    let change = LocationUpdate.change(
      ReceiverChange(.quality(.rtkFloat, previous: .rtkFixed), at: Moment(uptime: .zero)))
    var sink = OutputSink(pipe.descriptor, waitsForReader: false)
    append(record(0, of: 1024 * 1024), to: &sink)
    #expect(sink.hasRoom(for: state) && sink.hasRoom(for: change))
    sink.text.append(character: "\n")
    #expect(!sink.hasRoom(for: state) && !sink.hasRoom(for: change) && sink.hasRoom(for: fix))
    // What the reader has taken does not count.
    try sink.flush()
    #expect(!sink.isEmpty && sink.hasRoom(for: state))
    var replay = OutputSink(pipe.descriptor, waitsForReader: true)
    append(record(0, of: 1024 * 1024 + 1), to: &replay)
    #expect(replay.hasRoom(for: state))
  }

  @Test func `the end waits for no reader that takes nothing`() throws {
    let pipe = try PipeEnds()
    var sink = OutputSink(pipe.descriptor, waitsForReader: false)
    append(record(1, of: 200 * 1024), to: &sink)
    try sink.finish(waitsForReader: false)
    #expect(!sink.isEmpty && sink.isBlocked)
    #expect(pipe.readAll().count == 64 * 1024)
    try sink.finish(waitsForReader: false)
    #expect(pipe.readAll().count == 64 * 1024)
  }

  @Test func `a reader that has gone away is an error, and stays one`() throws {
    let pipe = try PipeEnds()
    var sink = OutputSink(pipe.descriptor, waitsForReader: true)
    append(record(1, of: 10), to: &sink)
    pipe.closeReader()
    #expect(throws: OutputError.closed) { try sink.flush() }
    #expect(throws: OutputError.closed) { try sink.finish(waitsForReader: true) }
  }
}
