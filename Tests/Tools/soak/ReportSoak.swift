import DaemonHarness

/// As many reports as a day has, through the command as it was built, live and from a recording: none
/// is lost, and memory does not grow with them.
struct ReportSoak {
  private static let maximumGrowth = 2_000_000
  /// What comes before the first look at the memory, and in one write after it.
  private static let warmUp = 1000
  private static let batch = 100

  /// Seconds, each with two reports.
  private let seconds: Int
  private let day = DayOfReports()
  private let output = OutputFile()
  private let name: String

  init(_ name: String, reports: Int) {
    self.name = name
    seconds = max(reports / 2, Self.warmUp + 1)
  }

  /// Through a socket, as fast as it goes.
  static func live(reports: Int) async throws -> [SoakResult] {
    let soak = ReportSoak("live", reports: reports)
    let isWarm = Gate()
    let (day, seconds) = (soak.day, soak.seconds)
    let impostor = try Impostor([
      .expect("?WATCH"), .send(DayOfReports.banner),
      .generate { $0 < warmUp ? Array(day.reports(of: $0).utf8) : nil }, .wait(isWarm),
      .generate { index in
        let start = warmUp + index * batch
        guard start < seconds else { return nil }
        return (start..<min(start + batch, seconds)).flatMap { Array(day.reports(of: $0).utf8) }
      }, .hold,
    ])
    let locwatch = try soak.start(["127.0.0.1:\(impostor.port)"], input: .file("/dev/null"))
    return try await soak.results(of: locwatch) { isWarm.open() }
  }

  /// Through standard input, so that the end does not come before the memory is looked at.
  static func replay(reports: Int) async throws -> [SoakResult] {
    let soak = ReportSoak("replay", reports: reports)
    let locwatch = try soak.start(["--replay", "-"], input: .pipe)
    // With its first wait for more the command has all the descriptors that it ever has.
    try await soak.write(0..<warmUp / 2, to: locwatch)
    try await soak.waitForFix(warmUp / 2 - 1)
    try await soak.write(warmUp / 2..<warmUp, to: locwatch)
    return try await soak.results(of: locwatch) {
      try await soak.write(warmUp..<soak.seconds, to: locwatch)
    }
  }

  private func start(
    _ arguments: [String], input: ChildProcess.Stream
  ) throws -> ChildProcess {
    try ChildProcess(
      ChildProcess.builtProduct("locwatch"), ["--json"] + arguments, input: input,
      output: .file(output.path))
  }

  private func write(_ seconds: Range<Int>, to locwatch: ChildProcess) async throws {
    for start in stride(from: seconds.lowerBound, to: seconds.upperBound, by: Self.batch) {
      let end = min(start + Self.batch, seconds.upperBound)
      try await locwatch.write((start..<end).map(day.reports).joined())
    }
  }

  private func results(
    of locwatch: ChildProcess, afterWarmUp goOn: () async throws -> Void
  ) async throws -> [SoakResult] {
    try await waitForFix(Self.warmUp - 1)
    let before = try await locwatch.usageAtRest()
    let clock = ContinuousClock()
    let start = clock.now
    try await goOn()
    try await waitForFix(seconds - 1)
    let duration = start.duration(to: clock.now) / .seconds(1)
    let after = try await locwatch.usageAtRest()
    locwatch.closeInput()
    locwatch.signal(15)
    _ = try await locwatch.waitForExit()
    let growth = after.residentBytes - before.residentBytes
    let fixes = try output.fixes(of: seconds)
    let rate = Int(Double(2 * (seconds - Self.warmUp)) / duration)
    return [
      SoakResult(
        "\(name): \(2 * seconds) reports, \(rate) a second, \(seconds - fixes) of \(seconds) fixes lost",
        isGood: fixes == seconds),
      SoakResult(
        "\(name): memory \(before.residentBytes.inMegabytes), grown by \(growth.inMegabytes)",
        isGood: growth < Self.maximumGrowth),
      SoakResult(
        "\(name): descriptors \(before.openDescriptors), at the end \(after.openDescriptors)",
        isGood: before.openDescriptors == after.openDescriptors),
    ]
  }

  private func waitForFix(_ second: Int) async throws {
    let time = #""time":"\#(DayOfReports.time(of: second))""#
    try await waitUntil("fix of second \(second)", timeout: .seconds(300)) {
      try output.ends(with: time)
    }
  }
}
