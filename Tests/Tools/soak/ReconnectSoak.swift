import DaemonHarness

/// A gpsd that hangs up after each fix: the client comes again, asks again, and does not grow.
struct ReconnectSoak {
  private static let maximumGrowth = 1_000_000
  /// Connections before the first look at memory and descriptors.
  private static let warmUp = 100
  private static let watch = #"?WATCH={"enable":true,"json":true};"#

  static func results(reconnects: Int) async throws -> [SoakResult] {
    let day = DayOfReports()
    let last = warmUp + reconnects
    let (isMeasured, isOver) = (Gate(), Gate())
    let impostor = try Impostor { client in
      let talk: [ImpostorStep] = [
        .expect("?WATCH"), .send(DayOfReports.banner + day.reports(of: client)),
      ]
      return switch client {
      case warmUp: talk + [.wait(isMeasured), client.isMultiple(of: 2) ? .reset : .close]
      case last: talk + [.wait(isOver)]
      default: talk + [client.isMultiple(of: 2) ? .reset : .close]
      }
    }
    // Every thread gets its own malloc arena, and a busy machine has more threads: that is not growth.
    let follower = try ChildProcess(
      ChildProcess.builtProduct("soak"), ["--follow", "\(impostor.port)"],
      environment: ["MALLOC_ARENA_MAX": "1"])
    try await waitForFix(of: warmUp, from: follower)
    let before = try await follower.usageAtRest()
    isMeasured.open()
    try await waitForFix(of: last, from: follower)
    let after = try await follower.usageAtRest()
    isOver.open()
    let growth = after.residentBytes - before.residentBytes
    let polite = impostor.clients.prefix(last + 1).count { $0.commands == [watch] }
    return [
      SoakResult(
        "reconnects: \(reconnects), WATCH sent on \(polite) of \(last + 1) connections",
        isGood: polite == last + 1),
      SoakResult(
        "reconnects: descriptors \(before.openDescriptors), at the end \(after.openDescriptors)",
        isGood: before.openDescriptors == after.openDescriptors),
      SoakResult(
        "reconnects: memory \(before.residentBytes.inMegabytes), grown by \(growth.inMegabytes)",
        isGood: growth < maximumGrowth),
    ]
  }

  private static func waitForFix(of client: Int, from follower: ChildProcess) async throws {
    _ = try await follower.output.waitForLine(
      containing: DayOfReports.time(of: client), timeout: .seconds(300))
  }
}
