import DaemonHarness
import SimulatedReceiver
import Testing

/// Fault 20.
@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(5)))
struct `With a real gpsd, locwatch` {
  @Test func `searches, and then has the receiver's place to the last digit`() async throws {
    let site = try await Site(.underground)
    let locwatch = try Locwatch.start("--json", site.address)
    var transcript = Transcript(of: locwatch)
    let connecting = try await transcript.next { _ in true }
    #expect(connecting.transition == "connecting < -")
    #expect(try await transcript.next { _ in true }.transition == "searching < connecting")
    site.receiver.change(to: .quick(Phase(1, .threeDimensional)))
    let transition = try await transcript.next { _ in true }
    #expect(transition.transition == "fix-3d < searching")
    #expect(transition.device == site.receiver.path)
    let fix = try await transcript.next { _ in true }
    #expect(fix.isFix && fix.fix == "3d" && fix.mode == 3)
    #expect(fix.device == site.receiver.path)
    #expect(fix.lat == 48.118633333 && fix.lon == 11.517333333 && fix.altMSL == 545.4)
  }

  @Test func `is where the receiver is, epoch by epoch, each written once`() async throws {
    let scenario = Scenario.quick(Phase(1, .threeDimensional), route: .driving)
    let site = try await Site(scenario)
    let result = try await Locwatch.run("--json", "--no-events", "-n", "20", site.address)
    #expect(result.status == .exited(0))
    // gpsd's first reports have no time: it does not know yet what ends an epoch.
    let fixes = try Transcript.records(in: result.output).drop { $0.time == nil }
    let times = fixes.compactMap(\.time)
    #expect(times.count > 15 && times.count == fixes.count)
    #expect(Set(times).count == times.count && times == times.sorted())
    for fix in fixes {
      let time = try #require(fix.time)
      let place = try #require(scenario.place(at: time))
      let (lat, lon, altMSL) = try #require(fix.position)
      #expect(abs(lat - place.latitude) < 1e-8, "\(time)")
      #expect(abs(lon - place.longitude) < 1e-8, "\(time)")
      #expect(abs(altMSL - place.altitudeMSL) < 0.001, "\(time)")
    }
  }

  @Test func `loses the fix in a tunnel at once, and has it again after the tunnel`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", site.address)
    var transcript = Transcript(of: locwatch)
    let first = try await transcript.state("fix-3d")
    try await transcript.fix()
    site.receiver.change(to: .underground)
    let lost = try await transcript.state("lost")
    #expect(lost.previous == "fix-3d" && lost.reason == "no-fix" && lost.device == first.device)
    let last = try #require(try locwatch.output.records().last { $0.isFix })
    #expect(lost.lastFix?.time == last.time)
    #expect(lost.lastFix?.lat == last.lat && lost.lastFix?.lon == last.lon)
    site.receiver.change(to: .quick(Phase(1, .twoDimensional)))
    #expect(try await transcript.next { _ in true }.transition == "fix-2d < lost")
    #expect(try await transcript.fix().fix == "2d")
  }

  /// Fault 33.
  @Test func `writes the same bytes in a locale with a decimal comma`() async throws {
    let site = try await Site()
    let english = try await Locwatch.run("--once", site.address)
    let german = try await Locwatch.run(
      ["--once", site.address], environment: ["LC_ALL": "de_DE.UTF-8"])
    #expect(english == german)
    #expect(german.output == "48.118633333 11.517333333 545.4\n")
  }

  /// Fault 32.
  @Test func `works with descriptors 3 to 1100 inherited`() async throws {
    let site = try await Site()
    let shell = try ChildProcess(
      "bash",
      [
        "-c", #"for ((n = 3; n <= 1100; n++)); do eval "exec $n</dev/null"; done; exec "$@""#, "-",
        Locwatch.program, "--once", site.address,
      ])
    #expect(try await shell.waitForExit(timeout: .seconds(30)) == .exited(0))
    #expect(shell.output.text == "48.118633333 11.517333333 545.4\n")
  }
}
