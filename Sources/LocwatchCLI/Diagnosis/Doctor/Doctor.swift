import GPSDLocation
import LocationCore

/// Asks gpsd, looks at the machine, and finds what is missing for a fix. It changes nothing.
struct Doctor: Sendable {
  /// How long gpsd is listened to, connecting included. gpsd tries the speeds of a receiver for 15 s.
  static let patience = Duration.seconds(16)
  /// How long a gpsd without a receiver is listened to.
  private static let emptyPatience = Duration.seconds(2)
  /// How long pulses are waited for.
  private static let pulsePatience = Duration.seconds(3)

  let target: Target
  var machine = Machine.this

  /// Returns what is wrong, and what is well.
  ///
  /// - Parameter gpsd: The gpsd to ask; `nil` for none.
  func findings(asking gpsd: (any LocationProvider)?) async -> [Finding] {
    let earlierPulses = target.isOnThisMachine ? machine.pulses : [:]
    var conversation: Conversation?
    if let gpsd {
      conversation = await talk(to: gpsd, awaitsPulses: !earlierPulses.isEmpty)
    }
    return Check.findings(
      of: Examination(of: target, conversation, on: machine, earlierPulses: earlierPulses))
  }

  private func talk(to gpsd: any LocationProvider, awaitsPulses: Bool) async -> Conversation {
    let clock = gpsd.clock
    let start = clock.now
    var conversation = Conversation()
    var emptySince: Moment?
    var connection: any LocationConnection = gpsd.connection(
      for: LocationRequest(reports: [.toff, .pps]))
    let wantsOffset = target.isOnThisMachine && machine.timeService(ofGPSD: true) != nil
    reading: do throws(LocationError) {
      while !Task.isCancelled {
        var end = start.advanced(by: Self.patience)
        if let emptySince { end = emptySince.advanced(by: Self.emptyPatience).earlier(of: end) }
        if conversation.fix != nil, conversation.hasSky {
          let wait =
            awaitsPulses || conversation.time == nil || wantsOffset && conversation.offset == nil
            ? Self.pulsePatience : .zero
          end = start.advanced(by: wait).earlier(of: end)
        }
        // What has arrived is read, also at the end.
        switch try await connection.next(until: end) {
        case .value(let events, _):
          for event in events { conversation.record(event.event, at: event.moment) }
          let isEmpty = conversation.reach == .service && conversation.receivers != nil
          emptySince = isEmpty ? emptySince ?? clock.now : nil
          if end <= clock.now { break reading }
        case .timedOut, .ended: break reading
        }
      }
    } catch {
      conversation.failure = error
    }
    await connection.close()
    conversation.duration = start.duration(to: clock.now)
    return conversation
  }
}
