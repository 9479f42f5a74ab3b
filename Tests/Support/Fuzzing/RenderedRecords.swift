import GPSDLocation
import LocationCore
import LocationFormats
import LocationSamples
import LocationText
import LocwatchCLI
import LocwatchSystem
import LocwatchTerminal

/// All formats, each with what it made of the updates so far.
struct RenderedRecords {
  private var renderers: [(format: FormatCase.Grammar, renderer: any Renderer)]
  private var documents: [FormatCase.Grammar: [UInt8]] = [:]
  private let terminal = TerminalRenderer(style: TerminalStyle())
  private(set) var records = 0

  /// The name of a source that has to be escaped.
  private static let source = "f u,z=z\"\\"

  init() throws {
    var style = RecordStyle()
    (style.source, style.sourceName, style.units) = (Self.source, Self.source, .nautical)
    style.showsSatellites = true
    // Text with satellites has several lines.
    renderers =
      try [
        (.line, TextRenderer(units: .nautical)), (.line, TextRenderer(positionOnly: true)),
        (.line, TextRenderer(events: .fixesOnly, coordinates: .maidenhead)),
        (.line, Self.template()), (.csv, CSVRenderer(columns: FixField.allCases)),
      ]
      + FormatCase.all.filter { $0.format != .csv && $0.format != .text }.map {
        ($0.grammar, $0.format.makeRenderer(style))
      }
    for index in renderers.indices {
      var text = TextBuffer()
      renderers[index].renderer.begin(into: &text)
      documents[renderers[index].format, default: []] += text.bytes
    }
  }

  private static func template() throws -> any Renderer {
    let template = FixField.allCases.map { "%\($0.name)" }.joined(separator: " ")
    let arguments = ["--format", template].map(Argument.init)
    return try Options(arguments: arguments, environment: [:]).style.makeRenderer()
  }

  /// Renders an update, and says what is wrong with what came out.
  mutating func complaint(about update: LocationUpdate) -> String? {
    for index in renderers.indices {
      let format = renderers[index].format
      var text = TextBuffer()
      renderers[index].renderer.render(update, into: &text)
      guard text.count > 0 else { continue }
      records += 1
      if let complaint = RecordCheck.complaint(about: Array(text.bytes), format) {
        return complaint
      }
      if [.geojson, .gpx, .kml].contains(format) { documents[format, default: []] += text.bytes }
    }
    return complaintAboutTerminal(update)
  }

  private func complaintAboutTerminal(_ update: LocationUpdate) -> String? {
    var text = TextBuffer()
    switch update {
    case .state(let change): terminal.transition(change, width: 80, into: &text)
    case .fix(let fix):
      var status = LiveStatus(state: .fix3D, fix: fix)
      status.age = .seconds(3)
      status.device = fix.device
      terminal.live(status, width: 120, into: &text)
    case .event(.sky(let sky)):
      for line in terminal.table(of: sky.satellites ?? [], width: 80) { text.append(text: line) }
    case .change, .retry, .event: break
    }
    return RecordCheck.complaintAboutText(Array(text.bytes))
  }

  /// What is wrong with the documents, when they are closed.
  mutating func complaintAboutDocuments() -> String? {
    for (format, renderer) in renderers where [.geojson, .gpx, .kml, .metrics].contains(format) {
      let document = documents[format, default: []] + Array(renderer.trailer.utf8)
      if let complaint = RecordCheck.complaint(aboutDocument: document, format) { return complaint }
    }
    return nil
  }
}
