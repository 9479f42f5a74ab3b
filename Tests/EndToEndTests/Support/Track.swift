import DaemonHarness
import Foundation

/// The fixes in a document, as readers of another language find them.
struct Track: Equatable, Decodable {
  var time: [String?]
  var latitude: [Double]
  var longitude: [Double]
  /// Above the sea in GPX, above the ellipsoid in GeoJSON.
  var height: [Double?]

  /// Reads GPX by an XML parser, GeoJSON by a JSON parser.
  ///
  /// - Throws: Where the file is not a whole document.
  static func read(_ file: URL) async throws -> Track {
    let reader = try ChildProcess("python3", ["-c", script, file.path])
    guard try await reader.waitForExit() == .exited(0) else { throw NotRead(reader.errors.text) }
    return try JSONDecoder().decode(Track.self, from: Data(reader.output.text.utf8))
  }

  struct NotRead: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private static let script = """
    import json, sys, xml.etree.ElementTree as tree
    path, space = sys.argv[1], "{http://www.topografix.com/GPX/1/1}"
    if path.endswith(".gpx"):
        points = [(p.findtext(space + "time"), float(p.get("lat")), float(p.get("lon")),
                   float(p.findtext(space + "ele"))) for p in tree.parse(path).iter(space + "trkpt")]
    else:
        features = json.load(open(path))["features"]
        points = [(f["properties"].get("time"), *f["geometry"]["coordinates"]) for f in features]
        points = [(time, latitude, longitude, height) for time, longitude, latitude, height in points]
    names = "time", "latitude", "longitude", "height"
    print(json.dumps({name: [point[i] for point in points] for i, name in enumerate(names)}))
    """
}
