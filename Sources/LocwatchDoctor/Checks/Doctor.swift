import GPSDLocation
import GPSDProtocol
package import LocationCore
package import LocwatchReceivers
package import LocwatchSystem

/// Asks gpsd, looks at the machine, and finds out why there is no fix. It changes nothing.
package struct Doctor: Sendable {
  /// How long the doctor listens at most.
  package static let patience = Listening.patience
  /// A longer wait is explained.
  private static let longWait = Duration.seconds(6)

  let target: Target
  package var machine = Machine.this
  /// Returns the segments of shared memory to which gpsd writes the time.
  var segments: @Sendable () -> TimeSegments = { .current }

  /// A gpsd to ask.
  package struct Patient: Sendable {
    let gpsd: any LocationProvider
    /// Whether the doctor has started it.
    package var isPrivate = false
    /// Returns what is known about the connection to a receiver on the network; `nil` for another target.
    package var link: (@Sendable () -> NetworkLink)?
    /// Receives what a long wait is for.
    package var explain: @Sendable (String) -> Void = { _ in }

    package init(gpsd: any LocationProvider) { self.gpsd = gpsd }
  }

  /// A problem of the machine that is found before any gpsd is asked, so that none is started; `nil` if there is none.
  package var obstacle: [Finding]? {
    let findings = Check.findings(of: Examination(of: target, nil, on: machine))
    return findings.exitStatus == .wrong ? findings : nil
  }

  /// Returns all findings, good and bad.
  ///
  /// - Parameter patient: The gpsd to ask; `nil` for none.
  package func findings(asking patient: Patient?) async -> [Finding] {
    let isHere = target.isOnThisMachine
    let earlierPulses = isHere ? machine.pulses : [:]
    let earlierSegments = isHere ? segments() : TimeSegments()
    var conversation: Conversation?
    if let patient {
      conversation = await talk(to: patient, awaitsPulses: !earlierPulses.isEmpty)
    }
    return Check.findings(
      of: Examination(
        of: target, conversation, on: machine, isPrivate: patient?.isPrivate ?? false,
        link: patient?.link?(), earlierPulses: earlierPulses, earlierSegments: earlierSegments,
        laterSegments: isHere ? segments() : TimeSegments()))
  }

  /// Listens until nothing that may still come can change a finding.
  private func talk(to patient: Patient, awaitsPulses: Bool) async -> Conversation {
    let gpsd = patient.gpsd
    let clock = gpsd.clock
    let start = clock.now
    var listening = Listening(
      from: start, hasPulses: awaitsPulses,
      wantsOffset: target.isOnThisMachine && !patient.isPrivate
        && machine.timeService(ofGPSD: true) != nil)
    var connection: any LocationConnection = gpsd.connection(
      for: LocationRequest(reports: [.toff, .pps]))
    var isExplained = false
    let waiter = Waiter(by: clock)
    reading: do throws(LocationError) {
      while !Task.isCancelled {
        let now = clock.now
        if let link = patient.link?() { listening.record(link, at: now) }
        let wait = listening.wait
        let end = wait?.end.earlier(of: start.advanced(by: Self.patience)) ?? now
        if let reason = wait?.reason, !isExplained, now.duration(to: end) > Self.longWait {
          isExplained = true
          patient.explain("\(reason), for up to \(now.duration(to: end).components.seconds) s")
        }
        // The connection to a receiver on the network is looked at every second.
        let look = patient.link.map { _ in now.advanced(by: .seconds(1)).earlier(of: end) }
        // Reports that have arrived are read, even at the end.
        switch try await connection.next(until: look ?? end, by: waiter) {
        case .received(let events):
          for event in events { listening.conversation.record(event.event, at: event.moment) }
        case .quiet: break
        case .ended: break reading
        }
        if end <= clock.now { break reading }
      }
    } catch {
      listening.conversation.failure = error
    }
    connection.close()
    listening.conversation.duration = start.duration(to: clock.now)
    return listening.conversation
  }
}

extension Doctor {
  package init(target: Target) { self.init(target: target, machine: .this) }
}
