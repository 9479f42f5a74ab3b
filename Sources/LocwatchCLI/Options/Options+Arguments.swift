import GPSDLocation

extension Options {
  /// Reads a command line.
  ///
  /// `--help` and `--version` win over everything else on the line, be it wrong.
  ///
  /// - Parameters:
  ///   - arguments: The words after the command's own name.
  ///   - environment: Where `GPSD_UNITS` is looked up.
  package init(
    arguments: [String], environment: Environment = [:]
  ) throws(UsageError) {
    self.init()
    environmentUnits = UnitSystem(environment: environment)
    var parser = OptionParser(options: self)
    parser.read(arguments)
    self = parser.options
    switch action {
    case .help, .version: return
    case .run, .generate: break
    }
    if let failure = parser.failure { throw failure }
    if case .generate = action { return }
    try take(operands: parser.operands)
    try refuseContradictions(among: parser.given, operands: parser.operands)
    fillIn()
  }

  private mutating func take(operands: [String]) throws(UsageError) {
    guard let operand = operands.first else {
      target = .gpsd(GPSDEndpoint(), device: device)
      return
    }
    if operands.count > 1 {
      throw UsageError("one server or receiver at a time: '\(operand)' or '\(operands[1])'")
    }
    target = try Target(operand: operand)
    guard case .gpsd(let endpoint, let named) = target else {
      if device != nil { throw UsageError("--device cannot go with '\(operand)'") }
      return
    }
    if let named, let device, named != device {
      throw UsageError("--device '\(device)' contradicts '\(operand)'")
    }
    device = device ?? named
    target = .gpsd(endpoint, device: device)
  }

  /// Puts in what follows from the rest of the line.
  private mutating func fillIn() {
    if once { count = 1 }
    once = count == 1
    if once, timeout == nil, duration == nil { timeout = .seconds(30) }
  }
}
