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

func printRecord(_ line: String) throws {
  // snippet: decode
  let update = try JSONDecoder().decode(LocationUpdate.self, from: Data(line.utf8))
  switch update {
  case .fix(let fix): print(fix.coordinate, fix.accuracy ?? .infinity)
  case .state(let change) where change.state == .lost: print("lost:", change.reason ?? "")
  default: break
  }
  // end
}
