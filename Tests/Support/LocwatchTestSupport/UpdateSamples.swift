package import LocationCore
import LocationSamples

extension LocationUpdate {
  package static func failed(
    _ code: LocationError.Code, systemError: SystemError? = nil, _ words: String
  )
    -> Self
  {
    let error = LocationError(code, systemError: systemError, words)
    return .state(StateChange(.noService, reason: words, error: error, at: .start))
  }

  package static func state(
    _ state: LocationState, of device: String, loss: LossReason? = nil, at moment: Moment = .start
  ) -> Self {
    .state(StateChange(state, of: .receiver(device), loss: loss, at: moment))
  }

  package static let answer = event(.service(LocationService(name: "gpsd 3.22")))

  package static func receiver(
    _ path: String, driver: String? = nil, isActive: Bool = true
  ) -> Self {
    .event(.receivers([Receiver(path: path, driver: driver, isActive: isActive)]))
  }

  package static func sky(
    of device: String = "/dev/ttyACM0", seen: Int, used: Int, strengths: [Double] = []
  ) -> Self {
    let satellites = strengths.enumerated().map {
      Satellite(prn: $0.offset + 1, signalStrength: $0.element)
    }
    return .event(
      .sky(
        SkyView(
          device: device, satellites: strengths.isEmpty ? nil : satellites, seen: seen, used: used)
      ))
  }

  package static func fix(
    _ mode: FixMode, eph: Double? = nil, quality: FixQuality? = nil, isCurrent: Bool = true,
    doubts: [Doubt] = []
  ) -> Self {
    var fix = Samples.position(48, 11, mode)
    fix.doubts = doubts
    fix[.eph] = eph
    fix.quality = quality
    fix.isCurrent = isCurrent
    return .fix(fix)
  }
}

extension Moment {
  package static let start = Moment(uptime: .zero)
}
