// One import is enough: writers take the updates of LocationCore.
@_exported public import LocationCore
import LocationText

/// Turns updates into the records of a format, byte for byte as the command `locwatch` writes them.
///
/// A writer does no I/O: it returns text, or appends UTF-8 to a buffer.
///
/// ```swift
/// var writer = LocationWriter(.gpx)
/// print(writer.begin(), terminator: "")
/// for try await update in provider.updates() {
///   print(writer.write(update), terminator: "")
/// }
/// print(writer.end(), terminator: "")
/// ```
///
/// Pass it all updates, in their order, because the record of a fix can depend on earlier changes of state. A
/// receiver's text is escaped, so that it cannot forge a record or control a terminal. A fix that is not current is
/// marked as such where the format allows it.
///
/// A writer is a value. A copy has the state of the original, and is then independent of it.
public struct LocationWriter: Sendable {
  private var renderer: any Renderer
  private var text = TextBuffer()

  /// Creates a writer at the beginning of a document.
  ///
  /// - Parameters:
  ///   - format: The format of the records.
  ///   - source: The name of the source of the updates; `nil` for none. OwnTracks and Signal K need a name;
  ///     without one, they use `localhost`. Updates of a `BestLocationProvider` replace it with the name of the
  ///     selected provider. CSV has a column for it only if it was passed.
  ///   - includesSatellites: Whether NDJSON and text have the satellites of each fix.
  public init(_ format: LocationFormat, source: String? = nil, includesSatellites: Bool = false) {
    var style = RecordStyle()
    style.source = source
    style.sourceName = source ?? style.sourceName
    style.showsSatellites = includesSatellites
    renderer = format.makeRenderer(style)
  }

  /// The text that would end the document now; empty for formats with one record per line. For KML, it contains the
  /// points of the track that is not yet written, at most 4 KiB.
  ///
  /// To keep a file a complete document at any time, write this text after each record, and overwrite it with the
  /// next record.
  public var ending: String { renderer.trailer }

  /// Returns the beginning of the document; empty for formats that have none.
  public mutating func begin() -> String {
    beginDocument()
    return text.string
  }

  /// Returns the records of an update; empty if the format writes nothing for it.
  public mutating func write(_ update: LocationUpdate) -> String {
    render(update)
    return text.string
  }

  /// Returns the end of the document: records that were held back, and then ``ending``. GPX and KML hold back points of
  /// receivers that report in turn, so that each receiver has one track.
  public mutating func end() -> String {
    endDocument()
    return text.string
  }

  /// Appends the beginning of the document.
  @inlinable
  public mutating func begin(into output: inout some RangeReplaceableCollection<UInt8>) {
    beginDocument()
    output.append(contentsOf: rendered)
  }

  /// Appends the records of an update.
  @inlinable
  public mutating func write(
    _ update: LocationUpdate, into output: inout some RangeReplaceableCollection<UInt8>
  ) {
    render(update)
    output.append(contentsOf: rendered)
  }

  /// Appends the end of the document.
  @inlinable
  public mutating func end(into output: inout some RangeReplaceableCollection<UInt8>) {
    endDocument()
    output.append(contentsOf: rendered)
  }

  @usableFromInline var rendered: ArraySlice<UInt8> { text.bytes }

  @usableFromInline
  mutating func beginDocument() {
    text.removeAll()
    renderer.begin(into: &text)
  }

  @usableFromInline
  mutating func render(_ update: LocationUpdate) {
    text.removeAll()
    renderer.render(update, into: &text)
  }

  @usableFromInline
  mutating func endDocument() {
    text.removeAll()
    renderer.end(into: &text)
  }
}
