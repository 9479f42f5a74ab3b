import Foundation
import Glibc
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// An output that is an input, or another output, is refused by what the file is.
/// Fault 80.
@Suite struct SharedFileTests {
  private let place: TemporaryFolder
  private let recording: String

  init() throws {
    place = try TemporaryFolder()
    recording = try place.write("{}\n", to: "r.jsonl")
    try place.makeFolder("trips")
    try place.write("{}\n", to: "trips/a.jsonl")
    try place.write("{}\n", to: "trips/b.jsonl")
    try place.write("a note\n", to: "trips/note.txt")
    try place.link("link.jsonl", to: "r.jsonl")
    try place.link("far.jsonl", to: place.path + "/trips/../trips/b.jsonl")
    try place.link("loose.json", to: "new.json")
    try place.link("folder", to: "trips")
    #expect(Glibc.link(recording, place.path + "/hard.json") == 0)
  }

  /// Reads a command line in which `@` is the folder of the test. Returns what it is refused for; `nil` if
  /// it is accepted.
  private func refusal(_ arguments: String...) -> String? {
    let arguments = arguments.map { $0.replacing("@", with: place.path) }
    do throws(UsageError) {
      _ = try Options(arguments: arguments).plan()
      return nil
    } catch {
      return error.message.replacing(place.path, with: "@")
    }
  }

  @Test(arguments: [
    "@/r.jsonl", "@/./r.jsonl", "@//r.jsonl", "@/trips/../r.jsonl", "@/link.jsonl", "@/hard.json",
  ])
  func `an output may not be the recording that is replayed, by any name`(output: String) {
    #expect(
      refusal("--replay", "@/r.jsonl", "-o", output)
        == "--replay @/r.jsonl and --output \(output) are the same file")
  }

  @Test func `a report may not replace a recording`() throws {
    try place.write("{}\n", to: "r.json")
    try place.link("l.json", to: "r.json")
    #expect(
      refusal("--replay", "@/r.json", "--report", "@/l.json")
        == "--replay @/r.json and --report @/l.json are the same file")
    #expect(
      refusal("--record", "@/r.json", "--report", "@/r.json")
        == "--record @/r.json and --report @/r.json are the same file")
  }

  @Test func `an output may not be a recording of a folder that is replayed`() {
    for folder in ["@/trips", "@/trips/", "@/folder"] {
      #expect(
        refusal("--replay", folder, "-o", "@/far.jsonl")
          == "--replay \(folder.hasSuffix("/") ? folder : folder + "/")b.jsonl and --output @/far.jsonl are the same file"
      )
    }
    #expect(refusal("--replay", "@/trips", "-o", "@/trips/note.txt") == nil)
    #expect(refusal("--replay", "@/trips", "-o", "@/trips/new.gpx") == nil)
    #expect(
      refusal("--replay", "@/r.jsonl", "--replay", "@/trips", "--report", "@/trips/x.json") == nil)
  }

  @Test func `an output may not be a recording of a folder that is recorded into`() {
    #expect(
      refusal("--record", "@/trips/", "-o", "@/trips/a.jsonl")
        == "--record @/trips/a.jsonl and --output @/trips/a.jsonl are the same file")
    #expect(refusal("--record", "@/trips/", "-o", "@/trips/note.txt") == nil)
    #expect(refusal("--record", "@/new/", "-o", "@/new.txt") == nil)
  }

  @Test func `two outputs may not be the same file, even if it does not exist yet`() {
    #expect(
      refusal("--record", "@/new", "-o", "@/./new")
        == "--record @/new and --output @/./new are the same file")
    #expect(
      refusal("--report", "@/trips/../new.json", "-o", "@/new.json")
        == "--report @/trips/../new.json and --output @/new.json are the same file")
    #expect(
      refusal("--report", "@/loose.json", "-o", "@/new.json")
        == "--report @/loose.json and --output @/new.json are the same file")
    #expect(refusal("--record", "@/trips/new", "-o", "@/new") == nil)
    #expect(refusal("--record", "@/new", "-o", "@/neu") == nil)
    #expect(
      refusal("--record", "new", "-o", "./new")
        == "--record new and --output ./new are the same file")
  }

  @Test func `anything but a file may be named several times`() {
    for stream in ["/dev/null", "/dev/full", place.makePipe("pipe")] {
      #expect(refusal("--record", stream, "-o", stream) == nil)
      #expect(refusal("--replay", stream, "-o", stream) == nil)
    }
  }

  @Test func `a recording may be replayed twice`() {
    #expect(refusal("--replay", "@/r.jsonl", "--replay", "@/link.jsonl", "-o", "@/new") == nil)
  }

  @Test func `a chain of links without an end is left to the system`() throws {
    try place.link("one", to: "two")
    try place.link("two", to: "one")
    #expect(refusal("--record", "@/one", "-o", "@/two") == nil)
    #expect(refusal("--record", "@/nowhere/a", "-o", "@/nowhere/a") == nil)
  }
}
