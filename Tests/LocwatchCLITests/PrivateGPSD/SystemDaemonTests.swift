import Foundation
import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI

/// The gpsd that runs anyway, asked for a device that every machine has.
@Suite struct SystemDaemonTests {
  private static let device = "/dev/null"
  private static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

  /// gpsd's answer to a question for its devices.
  private static func devices(_ paths: [String]) -> String {
    let devices = paths.map { #"{"class":"DEVICE","path":"\#($0)"}"# }.joined(separator: ",")
    return #"{"class":"DEVICES","devices":[\#(devices)]}"#
  }

  @Test(arguments: [
    (["/dev/null"], "/dev/null"), (["/dev/zero", "/dev/null", "/dev/full"], "/dev/null"),
    (["/dev/../dev/null"], "/dev/../dev/null"), (["/dev/zero"], nil), ([], nil),
  ])
  func `It is used where it has the device, by whatever name`(
    paths: [String], found: String?
  ) async throws {
    let session = SpySession(RecordedSession(lines: [Self.version, Self.devices(paths)]))
    let device = try SerialDevice(path: Self.device)
    #expect(await SystemDaemon(session: session).device(like: device) == found)
    #expect(
      session.calls == [.open(GPSDEndpoint()), .send(.devices), .read, .close])
  }

  @Test func `A link is the device that it leads to`() async throws {
    let link = NSTemporaryDirectory() + "locwatch-\(UUID())"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: Self.device)
    defer { try? FileManager.default.removeItem(atPath: link) }
    let session = RecordedSession(lines: [Self.devices(["/dev/zero", Self.device])])
    let device = try SerialDevice(path: link)
    #expect(await SystemDaemon(session: session).device(like: device) == Self.device)
  }

  @Test func `It has no device where it does not answer`() async throws {
    let session = SpySession(RecordedSession(lines: [Self.version]))
    let device = try SerialDevice(path: Self.device)
    #expect(await SystemDaemon(session: session).device(like: device) == nil)
    #expect(session.calls.last == .close)
  }

  @Test func `It has no device where it cannot be reached`() async throws {
    let session = FailingSession(
      open: { _ throws(GPSDError) in throw GPSDError(.cannotConnect, "refused") }, close: {})
    let device = try SerialDevice(path: Self.device)
    #expect(await SystemDaemon(session: session).device(like: device) == nil)
  }
}
