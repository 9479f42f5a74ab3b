import LocationCore
import LocationText

/// An overview of several receivers, with links to their parts of the page.
struct ReceiverOverview {
  let receivers: [(title: String, receiver: ReceiverReport)]
  let units: ReportUnits

  private static let header = ["receiver", "a fix", "half within", "distance", "outages"]

  func add(to page: inout Markup) {
    let rows = receivers.enumerated().map { index, entry in
      let (title, receiver) = entry
      return [
        title,
        receiver.availability.map { "\(Text.rounded($0 * 100, places: 1)) %" } ?? "–",
        receiver.hasScatter ? receiver.scatter?.cep50.map(units.length) ?? "–" : "–",
        receiver.hasMoved ? units.way(receiver.trips.distance) : "–", "\(receiver.outageCount)",
      ]
    }
    Table(header: Self.header, rows: rows, isInRows: true, links: { "receiver-\($0 + 1)" })
      .add(to: &page)
  }
}
