@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

extension Options {
  /// Reads a command line that is given as text.
  init(arguments: [String], environment: Environment = [:]) throws(UsageError) {
    try self.init(arguments: arguments.map(Argument.init), environment: environment)
  }

  /// Adds the sources to a presenter, in their order.
  func addFleet(to presenter: inout some Presenter) {
    for (index, target) in fleet.enumerated() { presenter.add(member(target).style, as: index) }
  }
}
