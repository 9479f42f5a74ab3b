import LocationCore
import LocationFormats
import LocwatchRecordings
import LocwatchSystem

/// The extension of a file's name, which determines the format.
struct FormatEnding {
  /// The extension in lower case, without its dot.
  let text: String
  /// The format of such a file.
  let format: LocationFormat

  /// The extensions of all formats, each once.
  static let all = LocationFormat.named.flatMap(\.endings).reduce(into: [String]()) { all, ending in
    if !all.contains(ending) { all.append(ending) }
  }

  /// The extensions of text, which files without an extension contain as well.
  private static let ofText = ["txt", "log"]

  /// - Returns: `nil` for a folder, and for a file with another extension or none.
  init?(_ path: FilePath) {
    guard let text = Self.text(of: path),
      let format = LocationFormat.named.first(where: { $0.endings.contains(text) })
    else { return nil }
    (self.text, self.format) = (text, format)
  }

  /// Returns the extension of a file if it promises a format that locwatch does not write, such as kmz. A number, as in
  /// a date, promises none.
  static func unknown(of path: FilePath) -> String? {
    guard let text = text(of: path), text.first?.isLetter == true else { return nil }
    return (all + ofText).contains(text) ? nil : text
  }

  private static func text(of path: FilePath) -> String? {
    guard !path.isFolder else { return nil }
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Returns whether a format is allowed for a file with this extension. A template allows any extension.
  func accepts(_ format: LocationFormat) -> Bool {
    format.name.contains("%") || format.endings.contains(text)
  }
}
