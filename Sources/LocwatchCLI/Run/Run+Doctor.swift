import GPSDLocation
import Glibc
import LocationCore
import LocationFormats
import LocwatchDoctor
import LocwatchReceivers
import LocwatchSystem

// `--doctor`.
extension Run {
  /// Reports what is wrong between the receiver and its clients.
  func examine() async throws(Failure) -> ExitStatus {
    let findings = try await findings()
    let report = DoctorReport(findings: findings)
    let style = TerminalStyle(
      options.terminal, environment: environment, isTerminal: standardOutput.kind == .terminal)
    do throws(OutputError) {
      try standardOutput.writeText(options.format == .ndjson ? report.json : report.text(style))
    } catch {
      if error.exitStatus != .success { log.error("\(error)") }
      return error.exitStatus
    }
    if case .gpsd(let endpoint, _) = options.target, !endpoint.isLoopback {
      log.advise("gpsd is on another machine: to check that one, run --doctor there")
    }
    return findings.exitStatus
  }

  private func findings() async throws(Failure) -> [Finding] {
    var doctor = Doctor(target: options.target)
    doctor.machine = machine
    guard let target = try await examinedTarget(doctor) else {
      return await doctor.findings(asking: nil)
    }
    defer { target.end() }
    var watched = options
    watched.needsSatellites = true
    var patient = Doctor.Patient(
      gpsd: liveSources.provider(for: target, watched, recorder: nil))
    patient.explain = { [log] in log.advise("\($0)") }
    let place: Message
    switch target.reader {
    case nil: place = "gpsd at \(target.endpoint)"
    case .serial(let daemon):
      patient.isPrivate = true
      place = "\(daemon.receiver.path)"
    case .network(let receiver):
      patient.isPrivate = true
      patient.link = { receiver.link }
      place = "\(receiver.link.address)"
    }
    log.advise("listening to \(place) for up to \(Doctor.patience.components.seconds) s")
    return await doctor.findings(asking: patient)
  }

  /// Returns the gpsd to examine, which may be started for this purpose; `nil` if a problem of the machine
  /// has to be solved first.
  ///
  /// - Throws: ``Failure`` if the command line names something other than a serial device.
  private func examinedTarget(_ doctor: Doctor) async throws(Failure) -> LiveTarget? {
    let sources = liveSources
    switch options.target {
    case .gpsd(let endpoint, let device): return LiveTarget(endpoint: endpoint, device: device)
    case .network:
      guard doctor.machine.hasGPSD else { return nil }
      return try await sources.resolve(options, log: log.muted())
    case .tty(let path):
      // The doctor reports which devices are present instead.
      guard doctor.machine.exists(path) else { return nil }
      let terminal = try SerialDevice(path: path, on: machine)
      if let device = await sources.sharedDevice(like: terminal, options, log) {
        return LiveTarget(endpoint: GPSDEndpoint(), device: device)
      }
      guard doctor.obstacle == nil, doctor.machine.hasGPSD else { return nil }
      return try await sources.resolve(options, log: log.muted())
    }
  }
}
