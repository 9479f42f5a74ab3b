import LocationCore
import LocationFormats
package import LocwatchDoctor
import LocwatchSystem
import LocwatchTerminal

/// Explains what is wrong with a source: in hints, and when it ends without what was requested.
struct Explanation: SourcePart {
  private var diagnosis: Diagnosis
  private let givesAdvice: Bool
  private let needsFixes: Bool
  private let isOfFleet: Bool
  private let number: Int
  private let log: Log

  init(_ options: Options, _ number: Int, _ log: Log, on machine: Machine) {
    diagnosis = Diagnosis(options.question, on: machine)
    givesAdvice = options.givesAdvice
    needsFixes = options.goal.count != nil
    isOfFleet = options.isOfFleet
    self.number = number
    self.log = log
  }

  var isTimed: Bool { givesAdvice }

  var deadline: Moment? { mutating get { diagnosis.adviceDue } }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    diagnosis.record(update)
    if givesAdvice { diagnosis.updateMissingLink(at: moment) }
    return .next
  }

  mutating func expire(
    at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> Passage {
    guard let advice = diagnosis.advice(at: moment) else { return .next }
    if isOfFleet {
      // The table or the records of several sources show which of them have no fix.
      output.presenter.advise(advice, of: number)
    } else {
      try output.write(advice, to: log, at: moment)
    }
    return .next
  }

  mutating func complete(
    _ result: inout RunResult, of end: SourceEnd, at moment: Moment, on output: inout SharedOutput
  ) {
    switch end {
    case .complete: break
    case .noMoreUpdates where !needsFixes: result = .ended
    case .noMoreUpdates(let fixes): result = .timedOut(diagnosis.recordingEnds(after: fixes))
    case .noFix(let time), .noFixInRun(let time):
      let message = diagnosis.noFix(within: time)
      let isAnswered = diagnosis.isAnswered || diagnosis.question.isReplay
      result = isAnswered ? .timedOut(message) : .failed(LocationError(.silent), message)
    case .refused(let path, let reason):
      result = .failed(
        LocationError(.noSuchReceiver, reason), diagnosis.refusal(of: path, because: reason))
    case .failed(let error): result = .failed(error, diagnosis.message(for: error))
    }
  }
}

extension Options {
  package var question: Question {
    Question(
      target: target, device: device, request: criteria.request, isOnce: goal.once,
      count: goal.count, recording: replays.last)
  }

  /// Whether advice is given during the run. A short run gives it at its end. With several sources, only the
  /// table that is redrawn gives advice.
  fileprivate var givesAdvice: Bool {
    let hasTable = lines != nil && events != .transitionsOnly
    guard !goal.once, !isReplay, !isOfFleet || hasTable else { return false }
    return goal.timeout.map { $0 > Advisor.maximumPatience } ?? true
  }
}
