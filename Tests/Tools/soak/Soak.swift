import Glibc

@main
enum Soak {
  static func main() async throws {
    guard let options = SoakOptions(Array(CommandLine.arguments.dropFirst())) else {
      print(SoakOptions.usage, terminator: "")
      exit(64)
    }
    if let port = options.followed { return try await Follower.run(port: port) }
    let results =
      try await ReportSoak.live(reports: options.reports)
      + ReportSoak.replay(reports: options.reports)
      + ReconnectSoak.results(reconnects: options.reconnects)
    for result in results { print(result.isGood ? "ok    " : "BAD   ", result.words) }
    exit(results.allSatisfy(\.isGood) ? 0 : 1)
  }
}
