import LocationCore
import GPSDProtocol

/// A command to gpsd.
public struct GPSDCommand: Hashable, Sendable {
  /// The command as it is sent, such as `?WATCH={"enable":true,"json":true};`.
  package let text: String

  /// A command that requests reports from every receiver.
  public static let watch = watch(device: nil)

  /// Returns a command that requests reports.
  ///
  /// - Parameters:
  ///   - device: The path of the only receiver to report, on gpsd's machine; `nil` requests the
  ///     reports of every receiver.
  ///   - pulses: Whether `TOFF` and `PPS` reports are requested as well.
  public static func watch(device: String?, pulses: Bool = false) -> GPSDCommand {
    let device = device.map { #","device":"\#($0.escapedForJSON)""# } ?? ""
    return GPSDCommand(
      text: #"?WATCH={"enable":true,"json":true\#(pulses ? #","pps":true"# : "")\#(device)};"#)
  }

  /// A command that requests gpsd's version.
  package static let version = GPSDCommand(text: "?VERSION;")

  /// A command that requests the last reports of each receiver.
  package static let poll = GPSDCommand(text: "?POLL;")

  /// A command that requests the list of receivers.
  package static let devices = GPSDCommand(text: "?DEVICES;")
}

extension GPSDCommand: CustomStringConvertible {
  /// The command as it is sent, which is text of the command.
  public var description: String { text }
}
