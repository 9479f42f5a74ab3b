import LocationText

/// The text of `--help`, in 80 columns and on two screens.
package enum HelpPage {
  package static var text: String {
    var page = """
      Usage: locwatch [OPTIONS] [[NAME=]TARGET...]

      Print the position that gpsd reports, and each change of state, until Ctrl-C.

      """
    for group in OptionTable.usualGroups {
      page += "\n\(group.title):\n"
      for operand in group.operands { page += entry(operand.form, operand.summary) }
      for option in group.options { page += entry(option.form, option.summary) }
    }
    page += "\nExit status:\n"
    for status in statuses { page += entry(status.numbers, status.meaning) }
    return page + "\nMore, with examples: man locwatch, or locwatch --generate man | man -l -\n"
  }

  static let statuses: [(numbers: String, meaning: String)] = [
    ("0", "the requested output was written"),
    ("1", "an internal error; with --doctor: something is wrong"),
    ("2", "with --doctor: something may be wrong"),
    ("64", "the command line is invalid"),
    ("65", "the replay file is neither gpsd JSON nor a raw log"),
    ("66", "the replay file or the serial device cannot be opened"),
    ("69", "gpsd cannot be reached or started, or has no receiver"),
    ("73, 74", "an output file cannot be created, or written"),
    ("124", "the timeout passed without a suitable fix"),
    ("129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM"),
  ]

  private static let column = 26

  private static func entry(_ name: String, _ summary: String) -> String {
    let lines = summary.wrapped(to: 80 - column)
    var entry = "  \(name)".padded(to: column)
    if name.count + 4 > column { entry += "\n" + "".padded(to: column) }
    return entry + lines.joined(separator: "\n" + "".padded(to: column)) + "\n"
  }
}

extension Option {
  /// `-t, --timeout DUR`, indented if there is no short name.
  fileprivate var form: String {
    (short.map { "-\($0), " } ?? "    ") + "--\(long)" + (valueName.map { " \($0)" } ?? "")
  }
}
