@testable import LocwatchCLI
@testable import LocwatchSystem

extension Options {
  /// Reads a command line that is given as text.
  init(arguments: [String], environment: Environment = [:]) throws(UsageError) {
    try self.init(arguments: arguments.map(Argument.init), environment: environment)
  }

  /// Returns the plan of one of several sources.
  func member(_ target: NamedTarget) -> SourcePlan {
    sourcePlan(isOfFleet: true).member(target)
  }
}
