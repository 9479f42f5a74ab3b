/// What is known of the satellites over a receiver. A report that leaves something out takes
/// nothing away.
struct SkySummary: Sendable {
  private var seen: Int?
  private var used: Int?
  private var hdop: Double?
  private var vdop: Double?
  private var pdop: Double?

  mutating func add(_ sky: SkyView) {
    seen = sky.seen ?? seen
    used = sky.used ?? used
    hdop = sky.hdop ?? hdop
    vdop = sky.vdop ?? vdop
    pdop = sky.pdop ?? pdop
  }

  func complete(_ fix: inout FixValues) {
    fix.satellitesSeen = seen.map { UInt8(clamping: $0) }
    fix.satellitesUsed = used.map { UInt8(clamping: $0) }
    fix[.hdop] = hdop
    fix[.vdop] = vdop
    fix[.pdop] = pdop
  }
}
