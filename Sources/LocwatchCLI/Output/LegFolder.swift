import Glibc
import LocationCore
import LocationFormats
import LocwatchRecordings
import LocwatchSystem

/// A folder with a file for each leg of each receiver.
struct LegFolder: Sendable {
  /// The number of names that are tried if other files have them.
  private static let maximumTries = 1000

  let path: FilePath
  /// The extension of the files, such as `gpx`.
  let ending: String

  /// Creates the folder if it does not exist.
  init(_ path: FilePath, ending: String) throws(OutputError) {
    self.path = path
    self.ending = ending
    try path.makeFolder(allowing: W_OK | X_OK)
  }

  /// Creates a file for a leg, such as `bow-2026-05-01T0900.gpx`. If it exists, the name ends in `-2`, `-3`
  /// and so on.
  ///
  /// - Parameters:
  ///   - name: The name of the source or of the receiver.
  ///   - time: When the leg began; `nil` if the time is unknown.
  func createFile(
    of name: String, at time: Timestamp?
  ) throws(OutputError) -> (path: FilePath, descriptor: Descriptor) {
    let minute = time.map { String($0.description.prefix(16).filter { $0 != ":" }) } ?? "untimed"
    let start = "\(Self.plain(name))-\(minute)"
    var file = path
    for number in 1...Self.maximumTries {
      let rest = number == 1 ? "" : "-\(number)"
      file = path.appending(Array("\(start)\(rest).\(ending)".utf8))
      if let descriptor = try Descriptor(creating: file, appends: false) {
        return (file, descriptor)
      }
    }
    throw .cannotCreate(path: file.description, reason: systemText(EEXIST))
  }

  /// Returns at most 100 characters of the name. `_` replaces everything but ASCII letters, digits, hyphens,
  /// and dots between other characters.
  private static func plain(_ name: String) -> String {
    var plain = ""
    for character in name.utf8.prefix(100) {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
        plain.unicodeScalars.append(Unicode.Scalar(character))
      case UInt8(ascii: ".") where !plain.isEmpty: plain += "."
      default: plain += "_"
      }
    }
    return plain.isEmpty ? "receiver" : plain
  }
}
