package import LocationCore

/// Turns what a watcher reports into the bytes of one format.
///
/// A renderer is handed every update in order, also those that its format has no words for, and
/// appends whole records. Between two calls, what was appended so far and ``trailer`` make a
/// complete document: a sink that can seek writes the trailer after each record, and the next
/// record over it. ``end(into:)`` appends it for those that cannot.
package protocol Renderer: Sendable {
  /// What closes the document as it stands; empty in formats that need no closing.
  var trailer: String { get }

  /// Appends what comes before the first record.
  mutating func begin(into output: inout TextBuffer)
  mutating func state(_ change: StateChange, into output: inout TextBuffer)
  mutating func fix(_ fix: LocationFix, into output: inout TextBuffer)
  /// Takes note of the receivers that the service has.
  mutating func receivers(_ present: [Receiver])
  /// Takes note of the satellites, for the fixes that follow.
  mutating func sky(_ sky: SkyView, into output: inout TextBuffer)
  /// Appends what comes after the last record.
  mutating func end(into output: inout TextBuffer)
}

extension Renderer {
  package var trailer: String { "" }

  package mutating func begin(into output: inout TextBuffer) {}
  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {}
  package mutating func receivers(_ present: [Receiver]) {}
  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {}
  package mutating func end(into output: inout TextBuffer) { output.append(text: trailer) }
}
