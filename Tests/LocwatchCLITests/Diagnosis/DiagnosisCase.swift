import LocationCore
import Testing

@testable import LocwatchCLI
@testable import LocwatchDoctor
@testable import LocwatchSystem

/// One way to get no fix, and the message about it.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
  var arguments: [String] = []
  var updates: [LocationUpdate]
  var message: Message

  var testDescription: String { message.text }

  init(_ arguments: String..., updates: LocationUpdate..., message: Message) {
    self.arguments = arguments
    self.updates = updates
    self.message = message
  }

  /// What is known after the updates.
  func diagnosis() throws -> Diagnosis {
    var diagnosis = Diagnosis(
      try Options(arguments: arguments, environment: [:]).question, on: .empty)
    for update in updates { diagnosis.record(update) }
    return diagnosis
  }
}
