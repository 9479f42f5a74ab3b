package import GPSDLocation
import Glibc
import LocationReports

/// Where `--report` writes, and in what form.
package struct ReportFile: Equatable, Sendable {
  package enum Form: String, CaseIterable, Sendable {
    case json, text = "txt"
  }

  package let path: FilePath
  package let form: Form

  /// - Throws: If the form of the file cannot be told from its name.
  package init(_ path: FilePath) throws(UsageError) {
    self.path = path
    if path == "-" {
      form = .text
      return
    }
    let ending = path.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard ending.count > 1, let last = ending.last,
      let form = Form(rawValue: String(decoding: last, as: UTF8.self).lowercased())
    else { throw UsageError("'\(path)' must end in .json or .txt, or be -") }
    self.form = form
  }

  /// Whether the report takes the place of the records.
  var replacesOutput: Bool { path == "-" }

  /// Writes the report. A file is replaced as a whole: nobody ever reads half of one.
  func write(_ report: LocationReport, source: String?) throws(OutputError) {
    let text =
      form == .json ? ReportJSON.text(of: report, source: source) : ReportText.text(of: report)
    guard !replacesOutput else { return try Descriptor.standardOutput.writeAll(text) }
    guard path.isReplaceable else { return try Descriptor(appendingTo: path).writeAll(text) }
    let new = FilePath(bytes: path.bytes + Array(".\(getpid()).new".utf8))
    do throws(OutputError) {
      try Descriptor(creating: new, inPlaceOf: path).writeAll(text)
      try new.rename(to: path)
    } catch {
      new.remove()
      throw error
    }
  }
}

extension Descriptor {
  /// Writes a text, and waits for its reader.
  fileprivate func writeAll(_ text: TextBuffer) throws(OutputError) {
    var sink = OutputSink(self, waitsForReader: true)
    sink.text.append(contentsOf: text.bytes)
    try sink.flush(isCancelled: { Task.isCancelled })
  }
}

extension FilePath {
  /// Whether there is no file, or a regular one.
  fileprivate var isReplaceable: Bool {
    unsafe withCString { path in
      var status = stat()
      return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
  }

  fileprivate func rename(to path: FilePath) throws(OutputError) {
    let isRenamed = unsafe withCString { old in
      unsafe path.withCString { new in unsafe Glibc.rename(old, new) == 0 }
    }
    guard isRenamed else {
      throw .cannotCreate(path: path.description, reason: systemText(errno))
    }
  }

  fileprivate func remove() { _ = unsafe withCString { unsafe unlink($0) } }
}
