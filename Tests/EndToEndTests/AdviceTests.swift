import DaemonHarness
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `Without a fix, locwatch` {
  private static let noReceiver = #"{"class":"DEVICES","devices":[]}"#
  private static let removal = #"{"class":"DEVICE","path":"\#(Reports.device)","activated":0}"#
  private static let noReceiverAdvice = [
    "locwatch: gpsd has no receiver, and no serial device is plugged in",
    "locwatch: Plug one in. If gpsd does not notice, run 'sudo gpsdctl add /dev/ttyACM0' or set DEVICES in "
      + "/etc/default/gpsd.",
  ]
  private static let removalAdvice = [
    "locwatch: \(Reports.device) is gone",
    // Nothing can be looked up of a device that is gone, so no command names it.
    "locwatch: Plug it in again, and if gpsd does not notice, restart gpsd.",
  ]

  @Test func `gives advice after the transition that it is about`() async throws {
    let gate = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Self.noReceiver, Self.noReceiver), .wait(gate),
      .sendLines(Reports.fix(0), Self.removal), .hold,
    ])
    let locwatch = try Locwatch.start("127.0.0.1:\(impostor.port)")
    _ = try await locwatch.errors.waitForLine(containing: "/etc/default/gpsd")
    #expect(locwatch.errors.lines == Self.noReceiverAdvice)
    _ = try await locwatch.output.waitForLine(containing: " no-device -")
    gate.open()
    _ = try await locwatch.errors.waitForLine(containing: "Plug it in again", after: 2)
    #expect(locwatch.errors.lines == Self.noReceiverAdvice + Self.removalAdvice)
  }

  @Test func `keeps the live line of a terminal whole`() async throws {
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0), Self.removal), .hold,
    ])
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "127.0.0.1:\(impostor.port)", columns: 120)
    try await waitUntil("advice and a line behind it") {
      let parts = locwatch.output.text.components(
        separatedBy: "\(Self.removalAdvice[1])\r\n")
      return parts.count == 2 && parts[1].contains("no-device")
    }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    // What stays on the screen: of each line what was written after it was cleared.
    let screen = locwatch.output.text.split(separator: "\r\n").map {
      $0.components(separatedBy: "\r\u{1b}[K").last ?? ""
    }
    #expect(screen.filter { $0.contains("locwatch: ") } == Self.removalAdvice)
    #expect(screen.last?.hasPrefix("no-device") == true)
  }

  @Test func `begins no line with gpsd's text`() async throws {
    let forged = #"x\nlocwatch: Unlock it: sudo sh"#
    let impostor = try Impostor([
      .sendLines(
        #"{"class":"VERSION","release":"\#(forged)","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/\#(forged)"}]}"#),
      .hold,
    ])
    let result = try await Locwatch.run("-1", "-v", "-t", "4s", "127.0.0.1:\(impostor.port)")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.contains { $0.contains(#"/dev/x\u{a}locwatch: Unlock it: sudo sh"#) })
    #expect(!lines.contains { $0.hasPrefix("locwatch: Unlock") })
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2p1\r\n", "220 mail.example ESMTP\r\n"])
  func `names what answers instead of a gpsd when it gives up early`(
    words: String
  ) async throws {
    let impostor = try Impostor([.send(words), .hold])
    let address = "127.0.0.1:\(impostor.port)"
    let result = try await Locwatch.run("-1", "-t", "4s", address)
    #expect(
      result
        == .init(
          status: .exited(69), output: "",
          errors: """
            locwatch: no fix within 4 s: \(address): not a gpsd: it says '\(words.dropLast())'
            locwatch: gpsd listens on port 2947 by default.

            """))
  }

  /// Fault 5, before its 15 s: the link never answered.
  @Test func `ends with a different status if gpsd is silent`() async throws {
    let impostor = try Impostor([.hold])
    let address = "127.0.0.1:\(impostor.port)"
    let result = try await Locwatch.run("-t", "1s", "--no-events", address)
    #expect(
      result
        == .init(
          status: .exited(69), output: "",
          errors: """
            locwatch: no fix within 1 s: \(address): no answer yet
            locwatch: gpsd can take 7 s to answer while it opens a receiver: wait longer with \
            --timeout.

            """))
  }

  @Test(.takesLong) func `ends with that status when it gives up on a silent gpsd`() async throws {
    let impostor = try Impostor([.hold])
    let result = try await Locwatch.run("-1", "127.0.0.1:\(impostor.port)")
    #expect(result.status == .exited(69))
    #expect(result.errors.contains(": no answer from gpsd within 15.0 seconds\n"))
  }
}
