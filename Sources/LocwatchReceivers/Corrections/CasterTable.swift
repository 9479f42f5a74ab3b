import LocwatchSystem

/// The table of a caster's mount points, as far as one of them is concerned (NTRIP, section 6).
///
/// Only the names of other mount points are kept, of some thousands at most: to find the nearest one of so
/// many takes a moment, however long they are.
package struct CasterTable: Equatable, Sendable {
  /// The size of all names together, in bytes.
  private static let maximumNames = 64 * 1024
  /// The longest line of a table, in bytes.
  private static let maximumLine = 4096
  /// A longer table is cut off. The largest casters' tables have a few hundred KiB.
  private static let maximumLength = 2 << 20

  let mount: String
  /// Whether the mount point needs the position of the receiver, as for a station that is computed for it; `nil` if it
  /// is not in the table.
  private(set) var needsPosition: Bool?
  /// Whether the last line of the table has come.
  private(set) var isComplete = false
  private var names: [String] = []
  private var namesLength = 0
  private var length = 0
  private var lines = LineSplitter(maximum: maximumLine)

  init(for mount: String) { self.mount = mount }

  /// Whether the mount point is in the table.
  var hasMount: Bool { needsPosition != nil }

  /// The mount point that was probably meant; `nil` if there is none like it.
  var nearestMount: String? { nearestName(to: mount, among: names) }

  /// Why there is nothing at the mount point.
  var reason: String {
    "no such mount point" + (nearestMount.map { "; did you mean \($0)?" } ?? "")
  }

  /// Returns why a caster with this table has no corrections, which it explains in its own way. Some mount
  /// points are in no table, so only one that is not found is looked for there.
  func reason(for refusal: String) -> String {
    hasMount || !refusal.hasPrefix("404") ? refusal : "\(refusal): \(reason)"
  }

  mutating func add(_ bytes: [UInt8]) {
    guard !isComplete else { return }
    lines.append(bytes.prefix(Self.maximumLength - length))
    length += bytes.count
    while !isComplete, let line = lines.next() {
      if line.isBeginning { handle(line.bytes.prefix(Self.maximumLine)) }
    }
    if length > Self.maximumLength { isComplete = true }
    if isComplete { finish() }
  }

  /// Forgets the incomplete line, and what came after the table.
  mutating func finish() {
    lines = LineSplitter(maximum: Self.maximumLine)
    length = 0
  }

  private mutating func handle(_ line: ArraySlice<UInt8>) {
    var line = line
    while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
    let fields = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    if line.starts(with: "ENDSOURCETABLE".utf8) { isComplete = true }
    guard fields.count > 1, fields[0].elementsEqual("STR".utf8) else { return }
    if fields[1].elementsEqual(mount.utf8) {
      needsPosition = fields.count > 11 && fields[11].elementsEqual("1".utf8)
    } else if fields[1].count <= CasterAddress.maximumMount,
      namesLength + fields[1].count <= Self.maximumNames
    {
      namesLength += fields[1].count
      names.append(String(decoding: fields[1], as: UTF8.self))
    }
  }
}
