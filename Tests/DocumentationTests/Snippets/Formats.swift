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
