/// What is known of a receiver's satellites from all of its sky views. A view that leaves out a
/// value keeps the last one.
package struct SkySummary: Equatable, Sendable {
  package private(set) var seen: Int?
  package private(set) var used: Int?
  package private(set) var signalsSeen: Int?
  package private(set) var signalsUsed: Int?
  /// The strongest signal, in dBHz.
  package private(set) var strongest: Double?
  private var hdop: Double?
  private var vdop: Double?
  private var pdop: Double?
  /// Whether the numbers come from a list.
  private var isCounted = false

  package init() {}

  package mutating func add(_ sky: SkyView) { add(sky.values) }

  // The values are large, and would be copied if they were read one by one from a view.
  private mutating func add(_ sky: borrowing SkyValues) {
    strongest = sky.strongest ?? strongest
    hdop = sky.hdop ?? hdop
    vdop = sky.vdop ?? vdop
    pdop = sky.pdop ?? pdop
    // Numbers that may be of signals, or of one constellation, do not replace counted ones.
    guard sky.isCounted || !isCounted else { return }
    if sky.isCounted, sky.seen != nil { isCounted = true }
    seen = sky.seen ?? seen
    used = sky.used ?? used
    signalsSeen = sky.signalsSeen ?? signalsSeen
    signalsUsed = sky.signalsUsed ?? signalsUsed
    // The two numbers can come from different views.
    if let seen { used = used.map { min($0, seen) } }
    if let signalsSeen { signalsUsed = signalsUsed.map { min($0, signalsSeen) } }
  }

  func complete(_ fix: inout FixValues) {
    fix.set(.satsSeen, toPossible: seen.map { Double(UInt16(clamping: $0)) })
    fix.set(.satsUsed, toPossible: used.map { Double(UInt16(clamping: $0)) })
    fix.set(.signalsSeen, toPossible: signalsSeen.map { Double(UInt16(clamping: $0)) })
    fix.set(.signalsUsed, toPossible: signalsUsed.map { Double(UInt16(clamping: $0)) })
    fix.set(.hdop, toPossible: hdop)
    fix.set(.vdop, toPossible: vdop)
    fix.set(.pdop, toPossible: pdop)
  }
}
