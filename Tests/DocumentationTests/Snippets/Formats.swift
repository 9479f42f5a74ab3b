import Foundation
import LocationFormats

func printTrack(of provider: some LocationProvider) async throws {
  // snippet: track
  var writer = LocationWriter(.gpx)
  print(writer.begin(), terminator: "")
  for try await update in provider.updates() {
    print(writer.write(update), terminator: "")
  }
  print(writer.end(), terminator: "")
  // end
}

func printTable(of provider: some LocationProvider) async throws {
  // snippet: table
  let columns: [FixField] = [.time, .lat, .lon, .quantity(.altMSL), .speedInKilometresPerHour]
  var writer = LocationWriter(.csv(columns: columns))
  var bytes: [UInt8] = []
  writer.begin(into: &bytes)
  for try await update in provider.updates() { writer.write(update, into: &bytes) }
  // end
  print(bytes.count)
}

// snippet: decode
/// What a program needs of a record.
struct Position: Decodable {
  var type: String
  var lat, lon, accuracy: Double?
}
// end

func printRecord(_ line: String) throws {
  // snippet: decode

  let record = try JSONDecoder().decode(Position.self, from: Data(line.utf8))
  if record.type == "fix", let lat = record.lat, let lon = record.lon { print(lat, lon) }
  // end
}
