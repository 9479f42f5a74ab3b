/// The manual page, in man(7).
enum ManualPage {
  /// When its words were last changed.
  private static let date = "2026-11-20"

  static func source(version: String) -> String {
    var page = Roff()
    page.title("locwatch", section: 1, date: date, release: "locwatch \(version)")
    page.section("NAME")
    page.text("locwatch - watch the position that gpsd reports")
    synopsis(&page)
    description(&page)
    options(&page)
    states(&page)
    output(&page)
    page.section("EXIT STATUS")
    for row in ExitStatusTable.rows { page.item(Roff.bold(row.numbers), row.detail) }
    surroundings(&page)
    return page.source
  }

  private static func synopsis(_ page: inout Roff) {
    page.section("SYNOPSIS")
    page.raw(
      "\(Roff.bold("locwatch")) [\(Roff.italic("OPTIONS"))] "
        + "[\(Roff.italic("SERVER"))[:\(Roff.italic("PORT"))[:\(Roff.italic("DEVICE"))]] | "
        + "\(Roff.italic("/dev/TTY"))]")
  }

  private static func description(_ page: inout Roff) {
    page.section("DESCRIPTION")
    page.text(
      "locwatch reads positions from gpsd and writes them as they come, together with every "
        + "change of state: whether there is a gpsd, a receiver, a fix, and when it was lost. "
        + "It goes on until it is told to stop; it reconnects by itself, and a position that is "
        + "no longer current is never shown as one that is.")
    for operand in OptionTable.groups.flatMap(\.operands) {
      page.item(Roff.italic(operand.form), operand.detail)
    }
  }

  private static func options(_ page: inout Roff) {
    page.section("OPTIONS")
    page.text(
      "A value follows its option as the next word, after an equals sign (--count=5), or, after a "
        + "letter, at once (-n5). Letters can stand together (-1j). After -- nothing is an "
        + "option. --help and --version win over everything else on the line.")
    for group in OptionTable.groups {
      page.subsection(group.title)
      for option in group.options {
        page.item(option.roffForm, option.detail.isEmpty ? option.sentence : option.detail)
      }
    }
  }
}

extension Option {
  /// `-t, --timeout DUR` with the names in bold and the value in italics.
  fileprivate var roffForm: String {
    let letter = short.map { Roff.bold("-\($0)") + ", " } ?? ""
    return letter + Roff.bold("--\(long)") + (valueName.map { " " + Roff.italic($0) } ?? "")
  }

  fileprivate var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}
