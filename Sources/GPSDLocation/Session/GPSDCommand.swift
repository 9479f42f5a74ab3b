/// Something to tell gpsd.
public struct GPSDCommand: Hashable, Sendable {
  /// The command as it goes over the wire, `?WATCH={"enable":true,"json":true};`.
  public let text: String

  /// Asks for reports of every receiver.
  public static let watch = GPSDCommand(text: #"?WATCH={"enable":true,"json":true};"#)

  /// Asks for reports of one receiver, by its path on gpsd's machine.
  public static func watch(device: String) -> GPSDCommand {
    GPSDCommand(text: #"?WATCH={"enable":true,"json":true,"device":"\#(escaped(device))"};"#)
  }

  /// Asks who is there: a gpsd that lives answers, and one that went deaf wakes up.
  public static let version = GPSDCommand(text: "?VERSION;")

  /// Asks which receivers there are.
  public static let devices = GPSDCommand(text: "?DEVICES;")

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\0"..." ":
        let digits = String(scalar.value, radix: 16)
        result +=
          scalar == " " ? " " : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
