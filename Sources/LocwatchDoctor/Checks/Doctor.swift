import GPSDLocation
import GPSDProtocol
package import LocationCore
package import LocwatchReceivers
package import LocwatchSystem

/// Asks gpsd, looks at the machine, and finds out why there is no fix. It changes nothing.
package struct Doctor: Sendable {
  /// How long the doctor listens to gpsd, including the connection. gpsd tries the speeds of a receiver for 15 s.
  package static let patience = Duration.seconds(16)
  /// How long it listens to a gpsd without a receiver, or whose receiver on the network cannot be reached.
  private static let emptyPatience = Duration.seconds(2)
  /// How long it waits for pulses.
  private static let pulsePatience = Duration.seconds(3)

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

    package init(
      gpsd: any LocationProvider, isPrivate: Bool = false,
      link: (@Sendable () -> NetworkLink)? = nil
    ) {
      self.gpsd = gpsd
      self.isPrivate = isPrivate
      self.link = link
    }
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

  private func talk(to patient: Patient, awaitsPulses: Bool) async -> Conversation {
    let gpsd = patient.gpsd
    let clock = gpsd.clock
    let start = clock.now
    var conversation = Conversation()
    var emptySince: Moment?
    var connection: any LocationConnection = gpsd.connection(
      for: LocationRequest(reports: [.toff, .pps]))
    let wantsOffset =
      target.isOnThisMachine && !patient.isPrivate && machine.timeService(ofGPSD: true) != nil
    reading: do throws(LocationError) {
      while !Task.isCancelled {
        var end = start.advanced(by: Self.patience)
        if let emptySince { end = emptySince.advanced(by: Self.emptyPatience).earlier(of: end) }
        if conversation.isComplete {
          let wait =
            awaitsPulses || conversation.lacksTime || wantsOffset && conversation.offset == nil
            ? Self.pulsePatience : .zero
          end = start.advanced(by: wait).earlier(of: end)
        }
        // The connection to a receiver on the network is looked at every second.
        let look = patient.link.map { _ in clock.now.advanced(by: .seconds(1)).earlier(of: end) }
        // Reports that have arrived are read, even at the end.
        switch try await connection.next(until: look ?? end) {
        case .value(let events, _):
          for event in events { conversation.record(event.event, at: event.moment) }
        case .timedOut: break
        case .ended: break reading
        }
        if end <= clock.now { break reading }
        let isEmpty = isHopeless(conversation, patient)
        emptySince = isEmpty ? emptySince ?? clock.now : nil
      }
    } catch {
      conversation.failure = error
    }
    await connection.close()
    conversation.duration = start.duration(to: clock.now)
    return conversation
  }

  /// Whether nothing more can be expected.
  private func isHopeless(_ conversation: Conversation, _ patient: Patient) -> Bool {
    if let link = patient.link?() { return link.failure != nil }
    return conversation.reach == .service && conversation.receivers != nil
  }
}

extension Doctor {
  package init(target: Target) { self.init(target: target, machine: .this) }
}
