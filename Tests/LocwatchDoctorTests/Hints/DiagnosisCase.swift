import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchSystem

/// One way to get no fix, and the message about it.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
  var question: Question
  var updates: [LocationUpdate]
  var message: Message

  var testDescription: String { message.text }

  init(
    _ target: String = "localhost", request: LocationRequest = LocationRequest(),
    updates: LocationUpdate..., message: Message
  ) {
    question = Question(target, request: request)
    self.updates = updates
    self.message = message
  }

  /// What is known after the updates.
  func diagnosis() -> Diagnosis {
    var diagnosis = Diagnosis(question, on: .empty)
    for update in updates { diagnosis.record(update) }
    return diagnosis
  }
}
