import Foundation
import GPSDLocation
import Glibc
import LocwatchTestSupport
import Testing

@testable import LocationText
@testable import LocwatchSystem

@Suite struct RecordWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  private func text(_ text: String) -> TextBuffer {
    var buffer = TextBuffer()
    buffer.append(text: text)
    return buffer
  }

  private var file: String? { folder.text(of: "a") }

  @Test func `what closes a document is only replaced in a file that is kept closed`() throws {
    var writer = RecordWriter(try Descriptor(appendingTo: folder.path("a")))
    writer.endRecord(after: 3, trailer: "</a>")
    #expect(try writer.write(bytes("<a>")) == 3)
    writer.endRecord(after: 0, trailer: "1</a>")
    #expect(writer.pendingRecords == 0)
  }

  @Test func `a document begins where the file was`() throws {
    let descriptor = try #require(try Descriptor(creating: folder.path("a"), appends: false))
    #expect(descriptor.writeAll(Array("before ".utf8)))
    var writer = RecordWriter(descriptor)
    var first = text("<a>")
    writer.endRecord(after: 3, trailer: "</a>")
    try writer.writeDocument(&first)
    #expect(file == "before <a></a>")
  }

  @Test func `a file that is appended to is not kept closed`() throws {
    var writer = RecordWriter(try Descriptor(appendingTo: folder.path("a")))
    writer.endRecord(after: 3, trailer: "</a>")
    #expect(!writer.keepsDocumentClosed)
  }

  @Test func `the end of a record counts once all of it is written`() throws {
    var writer = RecordWriter(try Descriptor(replacing: folder.path("a")))
    writer.endRecord(after: 3)
    writer.endRecord(after: 7)
    #expect(try writer.write(bytes("one")) == 3)
    #expect(writer.endOfRecords == 3)
    #expect(try writer.write(bytes("two")) == 3)
    #expect(writer.endOfRecords == 3)
    #expect(try writer.write(bytes("!")) == 1)
    #expect(writer.endOfRecords == 7)
    #expect(file == "onetwo!")
  }

  @Test func `what adds nothing is no record`() throws {
    var writer = RecordWriter(try Descriptor(replacing: folder.path("a")))
    writer.endRecord(after: 0)
    #expect(writer.pendingRecords == 0)
    writer.endRecord(after: 3)
    writer.endRecord(after: 3)
    #expect(writer.pendingRecords == 1)
    #expect(try writer.write(bytes("one")) == 3)
    writer.endRecord(after: 0)
    #expect(writer.pendingRecords == 0 && writer.endOfRecords == 3)
    writer.endRecord(after: 1)
    #expect(writer.pendingRecords == 1)
  }

  @Test func `records that are not whole are forgotten with an error`() throws {
    var writer = RecordWriter(try Descriptor(replacing: folder.path("a")))
    writer.endRecord(after: 3)
    writer.endRecord(after: 7)
    writer.endRecord(after: 9)
    #expect(try writer.write(bytes("onetw")) == 5)
    #expect(writer.pendingRecords == 2 && writer.position == 5)
    writer.retry()
    #expect(writer.pendingRecords == 0 && writer.position == 3 && writer.endOfRecords == 3)
    writer.endRecord(after: 4)
    #expect(try writer.write(bytes("next")) == 4)
    #expect(writer.pendingRecords == 0 && writer.endOfRecords == 7)
  }

  @Test func `an error of a file is none of the next one, which gets what was not written`() throws
  {
    var writer = RecordWriter(try Descriptor(replacing: "/dev/full"))
    writer.endRecord(after: 3)
    #expect(throws: OutputError.self) { try writer.write(bytes("one")) }
    #expect(writer.pendingRecords == 1)
    writer.moveOn(to: try Descriptor(replacing: folder.path("a")), after: 0)
    #expect(writer.pendingRecords == 1)
    #expect(try writer.write(bytes("one")) == 3)
    #expect(writer.pendingRecords == 0 && file == "one")
  }

  @Test func `records that are not whole continue in another file, after what is there`() throws {
    var writer = RecordWriter(try Descriptor(replacing: folder.path("a")))
    writer.endRecord(after: 3)
    writer.endRecord(after: 7)
    writer.endRecord(after: 9)
    #expect(try writer.write(bytes("onet")) == 4)
    let other = try Descriptor(replacing: folder.path("b"))
    writer.moveOn(to: other, after: 10)
    #expect(writer.descriptor === other && writer.position == 0 && writer.endOfRecords == 0)
    #expect(writer.pendingRecords == 2)
    // Ten bytes, then the rest of the record, which is three bytes long, and the last one.
    #expect(try writer.write(bytes("separator\nwo")) == 12)
    #expect(writer.pendingRecords == 2)
    #expect(try writer.write(bytes("!")) == 1)
    #expect(writer.pendingRecords == 1 && writer.endOfRecords == 13)
    #expect(try writer.write(bytes("3!")) == 2)
    #expect(writer.pendingRecords == 0 && writer.endOfRecords == 15)
    #expect(file == "onet" && folder.text(of: "b") == "separator\nwo!3!")
  }

  @Test func `nothing is written after an error`() throws {
    // A descriptor that may only be read gives an error for each write.
    try folder.write("old", to: "a")
    let reading = open(folder.path + "/a", O_RDONLY)
    defer { close(reading) }
    var writer = RecordWriter(try Descriptor(replacing: "/dev/full"))
    let error = OutputError.cannotWrite(path: "/dev/full", reason: "No space left on device")
    #expect(throws: error) { try writer.write(bytes("one")) }
    #expect(throws: error) { try writer.write(bytes("two")) }
    var document = text("three")
    #expect(throws: error) { try writer.writeDocument(&document) }
    #expect(writer.position == 0)
  }
}
