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
  guard let format = LocationFormat.csv(columns: ["time", "lat", "lon", "speed:kmh"]) else {
    fatalError("a column is no field of a fix")
  }
  var writer = LocationWriter(format)
  var bytes: [UInt8] = []
  writer.begin(into: &bytes)
  for try await update in provider.updates() { writer.write(update, into: &bytes) }
  // end
  print(bytes.count)
}
