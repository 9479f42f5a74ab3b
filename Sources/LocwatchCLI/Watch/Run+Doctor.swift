import GPSDLocation
import LocationCore
import LocationFormats

// `--doctor`.
extension Run {
  /// Says what is wrong between the receiver and its clients.
  func examine() async -> ExitStatus {
    let doctor = Doctor(target: options.target)
    let gpsd = await gpsdOfTarget
    if let gpsd {
      log.advise(
        "listening to gpsd at \(gpsd.endpoint) for up to \(Doctor.patience.components.seconds) s")
    }
    let findings = await doctor.findings(asking: gpsd?.source)
    let report = DoctorReport(findings: findings)
    let style = TerminalStyle(
      options: options, environment: environment, isTerminal: standardOutput.kind == .terminal)
    do throws(OutputError) {
      try standardOutput.writeText(options.format == .ndjson ? report.json : report.text(style))
    } catch {
      if error.exitStatus != .success { log.error(error.description) }
      return error.exitStatus
    }
    if !options.target.isOnThisMachine {
      log.advise("gpsd is on another machine, which can be looked at with --doctor only there")
    }
    return findings.exitStatus
  }

  /// The gpsd of the target; `nil` for a serial device that the system's gpsd does not have.
  private var gpsdOfTarget: (endpoint: GPSDEndpoint, source: GPSDLocationSource)? {
    get async {
      let sources = liveSources
      var target = LiveTarget(endpoint: options.target.endpoint, device: options.device)
      if case .tty(let path) = options.target {
        guard let terminal = try? SerialDevice(path: path),
          let device = await sources.sharedDevice(like: terminal, options, log)
        else { return nil }
        target = LiveTarget(endpoint: GPSDEndpoint(), device: device)
      }
      var watched = options
      watched.satellites = true
      return (target.endpoint, sources.provider(for: target, watched, recorder: nil))
    }
  }
}
