/// A position, with everything else that the receiver reported for the same epoch.
///
/// What most programs use has a property. All other numbers are read by ``subscript(_:)``, with gpsd's names. A number
/// is `nil` if the receiver did not report it; it is never NaN, infinite or invented. An impossible number is stored as
/// `nil`: a negative error, speed or dilution of precision, a course beyond 360°, any number of 1e15 or more.
///
/// Two fixes are equal if all of this is equal, whether they are current and doubted, and what is known of their
/// times. When they were ``received`` does not count.
///
/// A fix is a copy-on-write value that is as small as a reference.
public struct LocationFix: Hashable, Sendable {
  /// One element always: an array gives copy-on-write storage without unsafe code.
  private var shared: ContiguousArray<FixValues>

  package var values: FixValues {
    _read { yield shared[0] }
    _modify { yield &shared[0] }
  }

  /// Creates a fix. The other quantities are `nil`.
  ///
  /// - Parameters:
  ///   - coordinate: The position.
  ///   - mode: ``FixMode/fix2D`` or ``FixMode/fix3D``.
  ///   - device: The receiver's path; `nil` if the service names none.
  ///   - time: The time of the fix, by the receiver's clock; `nil` if unknown.
  ///   - horizontalError: The estimated horizontal error in metres; `nil` if unknown. A negative one counts as
  ///     unknown.
  public init(
    coordinate: Coordinate, mode: FixMode, device: String? = nil, time: Timestamp? = nil,
    horizontalError: Double? = nil
  ) {
    shared = [FixValues(coordinate: coordinate, mode: mode, device: device, time: time)]
    if let horizontalError { self[.eph] = horizontalError }
  }

  package init(_ values: FixValues) { shared = [values] }

  /// Replaces the whole fix, in place if its storage is not shared.
  ///
  /// - Parameters:
  ///   - quantities: Numbers within their ranges, in the order of ``Quantity``; missing ones at the end are
  ///     unknown.
  ///   - known: The quantities that are known.
  package mutating func replace(
    _ coordinate: Coordinate, mode: FixMode, device: String?, time: Timestamp?,
    received: Timestamp?, quantities: Span<Double>, known: QuantitySet
  ) {
    shared[0].coordinate = coordinate
    shared[0].mode = mode
    shared[0].device = device
    shared[0].time = time
    shared[0].received = received
    shared[0].replaceQuantities(with: quantities, known: known)
  }

  /// A placeholder to fill in later.
  package static var blank: LocationFix { LocationFix(.blank) }

  /// The latitude and longitude.
  public var coordinate: Coordinate {
    get { values.coordinate }
    set { values.coordinate = newValue }
  }

  /// The mode: ``FixMode/fix2D`` or ``FixMode/fix3D``.
  public var mode: FixMode {
    get { values.mode }
    set { values.mode = newValue }
  }

  /// The receiver's path on gpsd's machine, such as `/dev/ttyACM0`; `nil` if gpsd names none.
  public var device: String? {
    get { shared.span[0].device }
    set { values.device = newValue }
  }

  /// The time of the fix, by the receiver's clock; `nil` until the receiver knows the time.
  public var time: Timestamp? {
    get { values.time }
    set { values.time = newValue }
  }

  /// When this machine received the fix, by its own clock; `nil` in a replay of a recording without
  /// receive times.
  ///
  /// If the provider has not set it, ``LocationUpdates`` set it to the time of day of the provider's clock.
  public var received: Timestamp? {
    get { values.received }
    set { values.received = newValue }
  }

  /// Whether the fix was current when it arrived.
  ///
  /// A fix that was delayed, such as one from a backlog that is read after a pause, has its true
  /// ``time`` and is not current. Neither is an old one, if its age is known:
  /// ``LocationProvider/receiversShareClock``. ``LocationUpdates`` set this property, whatever the provider reports.
  public package(set) var isCurrent: Bool {
    get { values.isCurrent }
    set { values.isCurrent = newValue }
  }

  /// The reasons why the position may be wrong, although it is current; empty if it is believed.
  ///
  /// ``LocationUpdates`` set this property. <doc:BelievingAPosition> describes each reason, and how soon attacks are
  /// noticed.
  public package(set) var doubts: [Doubt] {
    get { doubtSet.doubts }
    set { doubtSet = DoubtSet(newValue) }
  }

  /// The ``doubts``.
  package var doubtSet: DoubtSet {
    // Not `values`, which another module copies as a whole.
    get { shared.span[0].doubts }
    set { values.doubts = newValue }
  }

  /// How far the receiver's clock jumped at this fix relative to the local clock; negative is
  /// backward. `nil` if it did not jump.
  package var timeJump: Duration? {
    get { values.timeJump }
    set { values.timeJump = newValue }
  }

  /// A number that the receiver reported, in the unit that its ``Quantity`` names; `nil` if it is unknown.
  ///
  /// An impossible number, such as a negative error or NaN, is stored as `nil`.
  ///
  /// ```swift
  /// if let speed = fix[.wspeedt] { print("\(speed) m/s of wind") }
  /// ```
  public subscript(quantity: Quantity) -> Double? {
    // Not `values`, which copies all numbers.
    @inline(__always)
    get { shared.span[0][quantity] }
    set { values[quantity] = newValue }
  }

  /// The quantities that are known.
  package var known: QuantitySet { values.known }

  /// Calls `body` with all numbers, in the order of the raw values of their quantities. The numbers of quantities
  /// that are not ``known`` have no meaning.
  package func withNumbers(_ body: (Span<Double>) -> Void) {
    // One copy of all numbers, rather than one for each.
    let numbers = values.numbers
    body(numbers.span)
  }

  /// The age of the fix when it was received, in seconds: ``received`` minus ``time``.
  ///
  /// It is negative if the local clock is behind the receiver's; `nil` if one of the times is
  /// unknown.
  public var age: Double? {
    guard let time, let received else { return nil }
    return time.nanoseconds(to: received).inSeconds
  }

  /// How many times 1,024 weeks were added to the receiver's date to get ``time``; `nil` if it is the receiver's own.
  ///
  /// ``LocationUpdates`` set this property if ``LocationRequest/correctsDates`` is `true`.
  package var dateCorrection: Int? {
    get { values.dateCorrection.map(Int.init) }
    set { values.dateCorrection = newValue.map(Int8.init(clamping:)) }
  }

  /// How many times 1,024 weeks the receiver's date is too early; negative if it is too late. `nil` if it is neither,
  /// or if one of the dates is unknown. The date of a clock that shows a year before 2020 is unknown, because it was
  /// never set. If the receiver's date is from 2020 on, it is not too early: the clock may be too late.
  ///
  /// GPS counts weeks from zero again after 1,024 weeks (IS-GPS-200, 20.3.3.3.1.1). A receiver's firmware assumes how
  /// often this has happened, and the assumption of an old firmware is wrong. The position is not affected.
  package var rollover: Int? {
    guard let time, let received else { return nil }
    return time.rollovers(toClock: received)
  }
}

extension LocationFix: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `3D 48.14997, 11.58477 at 2026-11-20T07:05:12.000Z of /dev/ttyACM0, eph 4.5`. Its format may
  /// change.
  public var description: String {
    var text = "\(mode) \(coordinate)"
    if let time { text += " at \(time)" }
    if let device { text += " of \(device)" }
    var parts: [String] = []
    if let received { parts.append("received \(received)") }
    if !isCurrent { parts.append("not current") }
    if let timeJump { parts.append("jumped \(timeJump)") }
    if let dateCorrection { parts.append("date corrected \(dateCorrection)") }
    if !doubts.isEmpty { parts.append("doubted: " + doubtSet.names(between: ", ")) }
    for row in Quantity.allCases.map(\.row) {
      guard let number = self[row.quantity] else { continue }
      let word = row.kind.word(for: number) ?? Int(exactly: number).map(String.init)
      parts.append("\(row.wireName) \(word ?? "\(number)")")
    }
    return ([text] + parts).joined(separator: ", ")
  }
}

extension LocationFix {
  /// What a fix lacks, in the order in which it is checked.
  package enum Lack: Int, Sendable { case dimension, quality, accuracy, belief }

  /// Returns the first requested property that the fix lacks; `nil` if it has all. An unknown quality counts as
  /// ``FixQuality/gps``. If an accuracy is desired, an unknown one is not sufficient.
  package func lack(of request: LocationRequest) -> Lack? {
    if mode < request.minimumMode { return .dimension }
    if let least = request.minimumQuality, !(quality ?? .gps).isAtLeast(least) { return .quality }
    if let desired = request.desiredAccuracy, !(horizontalError.map { $0 <= desired } ?? false) {
      return .accuracy
    }
    guard request.onlyBelieved else { return nil }
    // If a single fix is requested, it comes before its time can be doubted.
    return doubtSet.isEmpty && !shared.span[0].isTimeContradicted ? nil : .belief
  }

  /// Returns whether the fix meets the request, except for its distance filter.
  package func satisfies(_ request: LocationRequest) -> Bool { lack(of: request) == nil }
}

/// The storage of a ``LocationFix``.
package struct FixValues: Sendable {
  package var coordinate: Coordinate
  package var mode: FixMode
  package var device: String?
  package var time: Timestamp?
  package var received: Timestamp?
  package var isCurrent = true
  package var timeJump: Duration?
  package var dateCorrection: Int8?
  package var doubts: DoubtSet = []
  /// Whether the local clock contradicts the time, although one such fix is no reason to doubt the receiver. It does not
  /// count in comparisons.
  var isTimeContradicted = false
  package private(set) var known: QuantitySet = []
  fileprivate private(set) var numbers = LocationFix.Quantity.zeros

  /// It is copied for each report, rather than made.
  fileprivate static let blank = FixValues(
    coordinate: .nullIsland, mode: .fix2D, device: nil, time: nil)

  package init(coordinate: Coordinate, mode: FixMode, device: String?, time: Timestamp?) {
    self.coordinate = coordinate
    self.mode = mode
    self.device = device
    self.time = time
  }

  /// Replaces all quantities by numbers within their ranges, in the order of their raw values.
  ///
  /// - Parameter known: The quantities that are known.
  mutating func replaceQuantities(with values: Span<Double>, known: QuantitySet) {
    // Most receivers report none of the last ones.
    for place in 0..<Swift.min(values.count, known.end) { numbers[place] = values[place] }
    self.known = known
  }

  /// A quantity; `nil` if it is unknown. A number out of its range is stored as unknown.
  package subscript(quantity: LocationFix.Quantity) -> Double? {
    @inline(__always)
    get { known.contains(quantity) ? numbers[Int(quantity.rawValue)] : nil }
    set {
      let range = LocationFix.Quantity.ranges[Int(quantity.rawValue)]
      set(quantity, toPossible: newValue.within(range))
    }
  }

  /// Sets a quantity to a number within its range; `nil` if it is unknown.
  @inline(__always)
  mutating func set(_ quantity: LocationFix.Quantity, toPossible number: Double?) {
    if let number {
      numbers[Int(quantity.rawValue)] = number
      known.formUnion(QuantitySet(quantity))
    } else {
      known.subtract(QuantitySet(quantity))
    }
  }
}

extension FixValues: Hashable {
  package static func == (lhs: FixValues, rhs: FixValues) -> Bool {
    guard
      lhs.coordinate == rhs.coordinate, lhs.mode == rhs.mode,
      isSamePath(lhs.device, rhs.device), lhs.time == rhs.time,
      lhs.isCurrent == rhs.isCurrent, lhs.timeJump == rhs.timeJump, lhs.doubts == rhs.doubts,
      lhs.dateCorrection == rhs.dateCorrection, lhs.known == rhs.known
    else { return false }
    return LocationFix.Quantity.allCases.allSatisfy { lhs[$0] == rhs[$0] }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(coordinate)
    hasher.combine(mode)
    hasher.combine(device)
    hasher.combine(time)
    hasher.combine(known)
  }
}

extension Timestamp {
  /// 2020-01-01: an earlier date is the default of a computer that has just started.
  package static let clocksAreSet = Timestamp(secondsSince1970: 1_577_836_800)
}
