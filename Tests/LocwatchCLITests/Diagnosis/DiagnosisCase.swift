import LocationCore
import Testing

@testable import LocwatchCLI

/// One way to get no fix, and what is said of it.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
  var arguments: [String] = []
  var updates: [LocationUpdate]
  var words: String

  var testDescription: String { words }

  init(_ arguments: String..., updates: LocationUpdate..., words: String) {
    self.arguments = arguments
    self.updates = updates
    self.words = words
  }
}

extension LocationUpdate {
  static func failed(_ code: LocationError.Code, number: Int32 = 0, _ words: String) -> Self {
    let error = LocationError(code, number: number, words)
    return .state(StateChange(.noDaemon, reason: words, error: error, at: .start))
  }

  static func state(
    _ state: LocationState, of device: String, reason: String? = nil, at moment: Moment = .start
  ) -> Self {
    .state(StateChange(state, device: device, reason: reason, at: moment))
  }

  static let answer = report(.service(LocationService(name: "gpsd 3.22")))

  static func receiver(_ path: String, isActive: Bool = true) -> Self {
    .report(.receivers([Receiver(path: path, isActive: isActive)]))
  }

  static func sky(
    of device: String = "/dev/ttyACM0", seen: Int, used: Int, strengths: [Double] = []
  ) -> Self {
    let satellites = strengths.enumerated().map {
      Satellite(prn: $0.offset + 1, signalStrength: $0.element)
    }
    return .report(
      .sky(
        SkyView(
          device: device, satellites: strengths.isEmpty ? nil : satellites, seen: seen, used: used)
      ))
  }

  static func fix(_ mode: FixMode, eph: Double? = nil) -> Self {
    var fix = Samples.position(48, 11, mode)
    fix.eph = eph
    return .fix(fix)
  }
}

extension Moment {
  static let start = Moment(uptime: .zero)
}
