import LocationCore

/// The data for the figures of a receiver, except for its samples, in limited memory.
struct FigureCounter: Sendable {
  private(set) var timeline = StateTimeline()
  private(set) var columns = FigureColumns()
  private(set) var traces = SkyTraces()
  private(set) var obstructions = ObstructionMap()
  var path = PathTrace()

  /// Records the quality of a current fix, whether or not it counts.
  mutating func record(_ quality: FixQuality?, at seconds: Double) {
    timeline.record(quality, at: seconds)
  }

  mutating func add(_ fix: LocationFix, afterOutage: Bool, at seconds: Double) {
    let column = columns.column(at: seconds)
    columns.addFix(in: column, afterOutage: afterOutage)
    columns.add(fix.speed, to: .speed, in: column)
    columns.add(fix.horizontalError, to: .accuracy, in: column)
    columns.add(fix.verticalError, to: .verticalAccuracy, in: column)
    if fix.mode == .fix3D { columns.add(fix.altitude, to: .height, in: column) }
  }

  mutating func add(_ sky: SkyView, at seconds: Double) {
    let column = columns.column(at: seconds)
    columns.add(sky.used.map(Double.init), to: .used, in: column)
    columns.add(sky.seen.map(Double.init), to: .seen, in: column)
    columns.add(sky.hdop, to: .hdop, in: column)
    columns.add(sky.vdop, to: .vdop, in: column)
    columns.add(sky.pdop, to: .pdop, in: column)
    columns.add(sky.strongest, to: .strongestSignal, in: column)
    guard let satellites = sky.satellites else { return }
    traces.add(satellites)
    obstructions.add(satellites)
    var (sum, count) = (0.0, 0.0)
    for satellite in satellites where satellite.isUsed {
      guard let strength = satellite.receivedStrength else { continue }
      sum += strength
      count += 1
    }
    if count > 0 { columns.add(sum / count, to: .usedSignal, in: column) }
  }

  mutating func add(_ report: ServiceReport, at seconds: Double) {
    guard let offset = report.clockOffset?.inSeconds else { return }
    let column = columns.column(at: seconds)
    columns.add(offset, to: report.kind == .pps ? .pulseOffset : .serialOffset, in: column)
  }

  mutating func enter(_ state: LocationState?, _ quality: FixQuality?, at seconds: Double) {
    timeline.begin(state, quality, at: seconds)
  }

  mutating func end(at seconds: Double) { timeline.extend(to: seconds) }
}
