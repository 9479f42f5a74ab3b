package import LocationCore
import LocationText

/// Links to a map, for the places of a receiver. Nothing is requested until a link is followed.
package struct MapLinks {
  private let places: [(name: String, place: Coordinate)]

  /// The start and the end of a receiver that moved, or else its mean position.
  init(of receiver: ReceiverReport) {
    let ends =
      receiver.legs.flatMap { [$0.start, $0.end] } + receiver.gaps.flatMap { [$0.start, $0.end] }
    let sorted = ends.sorted { $0.moment.uptime < $1.moment.uptime }
    places =
      if receiver.hasMoved, let first = sorted.first, let last = sorted.last {
        [("start", first.coordinate), ("end", last.coordinate)]
      } else if !receiver.hasMoved, let scatter = receiver.scatter {
        [(scatter.isAboutReference ? "reference" : "mean position", scatter.center)]
      } else {
        []
      }
  }

  func add(to page: inout Markup) {
    guard !places.isEmpty else { return }
    page.add("<p class=\"note\">On OpenStreetMap: ")
    for (index, (name, place)) in places.enumerated() {
      page.add(index == 0 ? "" : ", ")
      page.add(element: "a", Self.attributes(of: place), text: name)
    }
    page.add("</p>\n")
  }

  /// Returns the attributes of an element that links to a place.
  package static func attributes(of place: Coordinate) -> String {
    let latitude = Text.rounded(place.latitude, places: 6)
    let longitude = Text.rounded(place.longitude, places: 6)
    return
      "rel=\"noreferrer\" href=\"https://www.openstreetmap.org/?mlat=\(latitude)&amp;mlon=\(longitude)"
      + "#map=16/\(latitude)/\(longitude)\""
  }
}
