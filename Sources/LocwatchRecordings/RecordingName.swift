import LocationCore
import LocationText

/// The name of a file in a folder of recordings, such as `000001-2026-11-20T070450.120Z.jsonl`: its number
/// and its first moment. The name of a compressed file also ends in `.gz`, and that of an incomplete one in `.part`.
/// locwatch 0.2 wrote no number.
struct RecordingName: Hashable {
  static let ending = ".jsonl"
  private static let newEnding = ".new"
  /// The number of a file has at least 6 digits, so that a year is not mistaken for one. It has at most 18,
  /// so that an `Int` can hold it and the numbers after it.
  private static let digits = 6...18
  /// A higher number is not incremented, because the next one could have too many digits.
  private static let maximumCounted = 99_999_999_999_999_999

  /// The forms of a recording, with the ends of their names.
  enum Form: String, CaseIterable {
    case part = ".part"
    case plain = ""
    case compressed = ".gz"
  }

  /// The number; 0 if there is none.
  let number: Int
  /// The first moment of the recording.
  let start: Timestamp

  init(number: Int, start: Timestamp) {
    self.number = number
    var time = TextBuffer()
    time.append(milliseconds: start)
    self.start = Timestamp(iso8601: time.bytes.span) ?? start
  }

  /// Reads the name of a file in any of its forms; `nil` if it is not a name of locwatch's.
  init?(_ name: [UInt8]) {
    let plain = name.dropLast(Self.form(of: name)?.rawValue.utf8.count ?? 0)
    let number = Self.number(of: name)
    let digits = number == nil ? 0 : plain.prefix { $0 != UInt8(ascii: "-") }.count + 1
    var time = Array(plain.dropFirst(digits).dropLast(Self.ending.utf8.count))
    // Names have no colons, which some file systems forbid.
    for index in [15, 13] where index <= time.count { time.insert(UInt8(ascii: ":"), at: index) }
    guard let start = Timestamp(iso8601: time.span) else { return nil }
    self.init(number: number ?? 0, start: start)
    guard self.plain.elementsEqual(plain) else { return nil }
  }

  /// Reads the name of an incomplete compressed file; `nil` for any other name.
  init?(unfinished name: [UInt8]) {
    guard name.first == UInt8(ascii: "."), name.hasEnding(Self.newEnding) else { return nil }
    self.init(Array(name.dropFirst().dropLast(Self.newEnding.utf8.count)))
    guard unfinished == name else { return nil }
  }

  /// The name of the uncompressed file. It is not stored, because a folder can have a hundred thousand.
  var plain: [UInt8] {
    var digits = TextBuffer()
    digits.append(integer: number)
    let missing = max(0, Self.digits.lowerBound - digits.count)
    let prefix =
      [UInt8](repeating: UInt8(ascii: "0"), count: missing) + digits.bytes + [UInt8(ascii: "-")]
    var time = TextBuffer()
    time.append(milliseconds: start)
    let text = time.bytes.filter { $0 != UInt8(ascii: ":") }
    return (number == 0 ? [] : prefix) + text + Array(Self.ending.utf8)
  }

  /// The name of the compressed file.
  var compressed: [UInt8] { file(.compressed) }
  /// The name of the compressed file while it is incomplete.
  var unfinished: [UInt8] { [UInt8(ascii: ".")] + compressed + Array(Self.newEnding.utf8) }

  /// Returns the name of the file in a form.
  func file(_ form: Form) -> [UInt8] { plain + Array(form.rawValue.utf8) }

  /// Returns the number at the beginning of a name, whatever follows it; `nil` if there is none.
  static func number(of name: [UInt8]) -> Int? {
    let digits = name.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let next = name.dropFirst(digits.count).first
    guard Self.digits.contains(digits.count), next == UInt8(ascii: "-") else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Returns names of files in the order of their numbers, and those with the same number in the order of their texts.
  static func inOrder(_ names: [[UInt8]]) -> [[UInt8]] {
    names.map { (number: number(of: $0) ?? 0, name: $0) }
      .sorted { one, other in
        one.number != other.number
          ? one.number < other.number : one.name.lexicographicallyPrecedes(other.name)
      }
      .map(\.name)
  }

  /// Returns the number of the next file in a folder with files of these names.
  static func nextNumber(after names: [[UInt8]]) -> Int {
    (names.compactMap(number).filter { $0 <= maximumCounted }.max() ?? 0) + 1
  }

  /// Returns whether a file is a recording. Only locwatch's own may end in `.part`, because other programs call files like
  /// that while they copy them.
  static func isRecording(_ name: [UInt8]) -> Bool {
    form(of: name).map { $0 != .part || RecordingName(name) != nil } ?? false
  }

  /// Returns the form of a file by its ending; `nil` if it is no recording.
  static func form(of name: [UInt8]) -> Form? {
    Form.allCases.first { name.hasEnding(ending + $0.rawValue) }
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func hasEnding(_ ending: String) -> Bool {
    suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }
}
