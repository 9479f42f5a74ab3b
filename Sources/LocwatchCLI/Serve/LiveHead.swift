import LocationCore
import LocationReports
import LocationText
import LocwatchSystem
import LocwatchTerminal

/// The head of a served page: the state of each receiver, its position and its sky, in the words of the view. It is
/// markup without a line end.
struct LiveHead {
  struct Receiver {
    /// `nil` for the only one.
    var name: String?
    var status: LiveStatus
    var satellites: [Satellite] = []
  }

  /// Further receivers are left out.
  static let maximumReceivers = 16

  let receivers: [Receiver]
  let style: TerminalStyle

  var markup: TextBuffer {
    var text = TextBuffer()
    let shown = receivers.prefix(Self.maximumReceivers)
    // Only a change of state is announced, so this contains no number that counts.
    text.append(text: "<section id=\"live\"><p id=\"state\" role=\"status\" aria-live=\"polite\">")
    text.append(xml: shown.isEmpty ? "Starting" : shown.map(\.summary).joined(separator: "; "))
    text.append(text: "</p>")
    for (number, receiver) in shown.enumerated() { add(receiver, number, to: &text) }
    let rest = receivers.count - shown.count
    if rest > 0 { text.append(text: "<p class=\"note\">and \(rest) more</p>") }
    text.append(text: "</section>")
    return text
  }

  private func add(_ receiver: Receiver, _ number: Int, to text: inout TextBuffer) {
    let status = receiver.status
    let facts = FactSheet(status: status, style: style, minimumAge: .zero)
    text.append(text: "<div class=\"now\" id=\"now-\(number)\"><div>")
    if let name = receiver.name { text.append(element: "h2", name) }
    if let place = (status.fix ?? status.lastFix)?.coordinate {
      let isCurrent = status.fix?.isCurrent == true
      text.append(text: "<p class=\"\(isCurrent ? "place" : "place old")\"><a ")
      text.append(text: MapLinks.attributes(of: place))
      text.append(text: ">")
      let position = facts.facts[0]
      if position.label != "Position" { text.append(xml: position.label + " ") }
      text.append(xml: position.parts.joined(separator: " "))
      text.append(text: "</a></p>")
    }
    text.append(text: "<table><tbody>")
    add("State", [], counting: facts.state, to: &text)
    for fact in facts.facts.dropFirst() where !fact.parts.isEmpty {
      let isTime = fact.label == facts.time.label
      let counting = isTime ? fact.parts.dropFirst().joined(separator: ", ") : ""
      add(fact.label, isTime ? [fact.parts[0]] : fact.parts, counting: counting, to: &text)
    }
    text.append(text: "</tbody></table></div>")
    if !receiver.satellites.isEmpty { text.append(ReportPage.sky(of: receiver.satellites)) }
    text.append(text: "</div>")
  }

  /// Adds a row of the table.
  ///
  /// - Parameter counting: What is wrong as soon as the page is cut off.
  private func add(
    _ label: String, _ parts: [String], counting: String, to text: inout TextBuffer
  ) {
    text.append(text: "<tr>")
    text.append(element: "th", label)
    text.append(text: "<td>")
    text.append(xml: parts.joined(separator: ", "))
    if !counting.isEmpty {
      text.append(text: parts.isEmpty ? "<span>" : "<span>, ")
      text.append(xml: counting)
      text.append(text: "</span>")
    }
    text.append(text: "</td></tr>")
  }
}

extension LiveHead.Receiver {
  /// `boat: Lost: no reports`
  fileprivate var summary: String {
    var words = TextBuffer()
    for part in [name, status.state.words, status.reason ?? status.failure].compactMap(\.self) {
      if words.count > 0 { words.append(text: ": ") }
      words.append(visible: part)
    }
    return words.string
  }
}

extension LocationState {
  fileprivate var words: String {
    switch self {
    case .connecting: "Connecting to gpsd"
    case .noService: "gpsd cannot be reached"
    case .noDevice: "No receiver"
    case .searching: "Searching for a position"
    case .fix2D: "2D fix, without a height"
    case .fix3D: "3D fix"
    case .lost: "Lost"
    }
  }
}

extension TextBuffer {
  fileprivate mutating func append(element name: String, _ content: String) {
    append(text: "<\(name)>")
    append(xml: content)
    append(text: "</\(name)>")
  }
}
