extension ManualPage {
  /// What the numbers of `--report` are.
  static func report(_ page: inout Roff) {
    page.section("REPORT")
    page.text(
      "--report writes the same numbers in three forms, for each receiver. Its fixes are those that were "
        + "current when they came.")
    for (part, meaning) in reportParts { page.item(Roff.bold(part), meaning) }
  }

  private static let reportParts = [
    (
      "scatter",
      "CEP50, R95 and R99 are the distances from the mean, or from --reference, that hold 50, 95 and 99 % of the "
        + "fixes; DRMS is the root of the mean squared distance; VEP is the same of heights, SEP and MRSE "
        + "in space. Beside them is what a normal distribution with the same deviations would have. A percentile "
        + "that would be the largest value is left out: R95 needs 20 fixes, R99 100."
    ),
    (
      "availability, states, outages",
      "How long the receiver had a current fix, was in each state, and was without a fix after it had had "
        + "one. The first fix counts from the beginning of the run."
    ),
    (
      "filters",
      "--fix, --quality, --accuracy, --interval and --min-move leave fixes out of the number of fixes, the "
        + "scatter, the figures of position, height, speed and accuracy, the interval and the age, in a replay "
        + "as in a live run. They do not change availability, states, outages, the first fix, or what is said "
        + "of satellites: these are the receiver's, whichever fixes count. So a receiver with a plain fix is "
        + "available also under --quality rtk-fixed; the part of its fixes that count is in the report, and "
        + "the page shows when it had which quality. The report names the filters: JSON has a member filter, "
        + "and fixesLeftOut for each receiver."
    ),
    (
      "a slow reader",
      "Fixes that the reader of the output is too slow for are dropped from the output, but not from the report."
    ),
  ]
}
