import Foundation
import LocationCore
import ReceiverRecordings

extension Recordings {
  /// The reports of positions in a recording, the first `limit` of them.
  static func positions(in file: URL, limit: Int) throws -> [JSONValue] {
    let lines = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
    let start = Data(#"{"class":"TPV""#.utf8)
    return lines.lazy.filter { $0.starts(with: start) }
      .compactMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0)) }
      .filter { report in
        (report["mode"]?.number ?? 0) >= 2 && report["lat"] != nil && report["lon"] != nil
      }
      .prefix(limit).map { $0 }
  }
}

extension LocationFix {
  /// What a report of gpsd says; the time is left out.
  init?(report: JSONValue) {
    guard let latitude = report["lat"]?.number, let longitude = report["lon"]?.number,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(
      coordinate: coordinate, mode: report["mode"] == .number(3) ? .threeD : .twoD,
      device: report["device"]?.text ?? "")
    for quantity in Quantity.allCases { self[quantity] = report["\(quantity)"]?.number }
  }
}
