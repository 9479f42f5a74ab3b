/// The card of a page with the scatter of the positions, in numbers.
struct AccuracyCard {
  private let title: String
  private let table: Table

  /// Makes the card of a receiver, or `nil` if its positions do not scatter or are too few.
  init?(of receiver: ReceiverReport, _ units: ReportUnits) {
    guard let scatter = receiver.scatter, receiver.hasScatter else { return nil }
    let accuracy = ReportText.table(of: scatter, units)
    guard !accuracy.rows.isEmpty else { return nil }
    title = scatter.isOfStops ? "Accuracy in the stops" : "Accuracy"
    table = Table(header: [accuracy.unit, "samples", "normal distribution"], rows: accuracy.rows)
  }

  func add(to page: inout Markup) {
    page.add("<div class=\"card\"><h3>\(title)</h3>")
    table.add(to: &page)
    Glossary.accuracy.add(to: &page)
    page.add("</div>\n")
  }
}
