package import LocationCore
package import LocationText

/// Renders updates in one format.
///
/// A renderer receives every update in order, and appends complete records for the updates that its format
/// can show. Between two calls, the records and ``trailer`` form a complete document. A sink that can seek
/// writes the trailer after each record, and then overwrites it. For other sinks, ``end(into:)`` appends the
/// records that were held back, and the trailer.
package protocol Renderer: Sendable {
  /// The text that closes the document; empty for formats without an end.
  var trailer: String { get }
  /// Whether records after a document of this format belong to it, so that it needs no second beginning.
  var continuesDocuments: Bool { get }
  /// Whether the last position of a receiver is current, and its record does not name the source.
  var hasUnnamedPosition: Bool { get }

  /// Appends the beginning of the document.
  mutating func begin(into output: inout TextBuffer)
  mutating func state(_ change: StateChange, into output: inout TextBuffer)
  mutating func change(_ change: ReceiverChange, into output: inout TextBuffer)
  mutating func fix(_ fix: LocationFix, into output: inout TextBuffer)
  /// Appends a report of a requested class.
  mutating func report(_ report: ServiceReport, into output: inout TextBuffer)
  /// Appends the mean of a receiver's positions.
  mutating func average(_ mean: MeanPosition, into output: inout TextBuffer)
  /// Begins the records of another source.
  mutating func begin(source: String)
  /// Records the receivers of the service.
  mutating func receivers(_ present: [Receiver])
  /// Records the satellites for the fixes that follow.
  mutating func sky(_ sky: SkyView, into output: inout TextBuffer)
  /// Continues the document of another source's renderer, which wrote the last record.
  mutating func resume(after other: inout any Renderer, into output: inout TextBuffer)
  /// Appends the records that were held back until the end of the document.
  mutating func writeKept(into output: inout TextBuffer)
  /// Appends the end of the document.
  mutating func end(into output: inout TextBuffer)
}

extension Renderer {
  package var trailer: String { "" }
  package var continuesDocuments: Bool { false }
  package var hasUnnamedPosition: Bool { false }

  package mutating func begin(into output: inout TextBuffer) {}
  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {}
  package mutating func change(_ change: ReceiverChange, into output: inout TextBuffer) {}
  package mutating func report(_ report: ServiceReport, into output: inout TextBuffer) {}
  package mutating func average(_ mean: MeanPosition, into output: inout TextBuffer) {}
  package mutating func begin(source: String) {}
  package mutating func receivers(_ present: [Receiver]) {}
  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {}
  package mutating func resume(after other: inout any Renderer, into output: inout TextBuffer) {}
  package mutating func writeKept(into output: inout TextBuffer) {}
  package mutating func end(into output: inout TextBuffer) {
    writeKept(into: &output)
    output.append(text: trailer)
  }

  /// Appends the records for an update.
  @inline(__always)
  package mutating func render(_ update: LocationUpdate, into output: inout TextBuffer) {
    switch update {
    case .fix(let fix): self.fix(fix, into: &output)
    case .state(let change): state(change, into: &output)
    case .change(let change):
      if case .selected(let name, _) = change.kind { begin(source: name) }
      self.change(change, into: &output)
    case .event(.other(let report)): self.report(report, into: &output)
    case .event(.sky(let sky)): self.sky(sky, into: &output)
    case .event(.receivers(let present)): receivers(present)
    case .retry, .event: break
    }
  }
}

/// Which records are written: fixes, transitions, or both.
package enum EventChoice: Equatable, Sendable {
  case all
  case transitionsOnly
  case fixesOnly
}
