/// What `--help` prints: every option in a few words, in 80 columns.
package enum HelpPage {
  package static var text: String {
    var page = """
      Usage: locwatch [OPTIONS] [SERVER[:PORT[:DEVICE]] | /dev/TTY]

      Say where this machine is, as gpsd knows it, and when that changes.

      """
    for group in OptionTable.groups {
      page += "\n\(group.title):\n"
      for operand in group.operands { page += entry(operand.form, operand.summary) }
      for option in group.options { page += entry(option.form, option.summary) }
    }
    page += "\nExit status:\n"
    for status in ExitStatusTable.rows { page += entry(status.numbers, status.summary) }
    page += "\nExamples:\n"
    for example in Examples.all.prefix(3) {
      page += "  \(example.command)\n      \(example.purpose)\n"
    }
    return page + "\nMore: man locwatch, or locwatch --generate man | man -l -\n"
  }

  private static let column = 26

  private static func entry(_ name: String, _ summary: String) -> String {
    let lines = summary.wrapped(to: 79 - column)
    var entry = "  \(name)".padded(to: column)
    if name.count + 4 > column { entry += "\n" + "".padded(to: column) }
    return entry + lines.joined(separator: "\n" + "".padded(to: column)) + "\n"
  }
}

extension Option {
  /// `-t, --timeout DUR`; without a letter, room is left for it.
  fileprivate var form: String {
    (short.map { "-\($0), " } ?? "    ") + "--\(long)" + (valueName.map { " \($0)" } ?? "")
  }
}
