/// Explains the terms of a report.
struct Glossary {
  private let entries: [(name: String, meaning: String)]

  static let accuracy = Glossary(entries: [
    ("CEP50", "half of the positions are within this distance"),
    ("R95, R99", "95 and 99 % of the positions are within this distance"),
    ("DRMS", "the root of the mean squared distance; 2DRMS is twice that, and holds about 95 %"),
    ("VEP50, VEP95", "half, and 95 %, of the heights deviate by no more than this"),
    (
      "ellipse",
      "holds 95 % of a normal distribution: its half axes, and the direction of the longer"
    ),
  ])

  static let times = Glossary(entries: [
    ("interval", "the time from one fix to the next"),
    ("age", "how old a fix was when it arrived, by the clock of the machine that ran locwatch"),
  ])

  func add(to page: inout Markup) {
    page.add("<details><summary>Glossary</summary>")
    for (name, meaning) in entries {
      page.add("<p class=\"note\">")
      page.add(element: "b", text: name)
      page.add(prose: ": \(meaning).")
      page.add("</p>")
    }
    page.add("</details>")
  }
}
