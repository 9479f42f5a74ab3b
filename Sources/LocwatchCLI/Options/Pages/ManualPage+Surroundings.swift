extension ManualPage {
  /// What is around the program: recordings, variables, examples, other pages.
  static func surroundings(_ page: inout Roff) {
    page.section("ENVIRONMENT")
    page.item(
      Roff.bold("GPSD_UNITS"),
      "metric, imperial or nautical, for the line that is redrawn on a terminal, where --units is "
        + "not given.")
    page.item(
      "\(Roff.bold("NO_COLOR")), \(Roff.bold("TERM"))",
      "There is no colour where NO_COLOR is not empty or TERM is dumb; --color overrides both.")
    page.item(
      "\(Roff.bold("LC_ALL")), \(Roff.bold("LC_CTYPE")), \(Roff.bold("LANG"))",
      "Whether the terminal shows UTF-8. They change nothing else: the decimal point is a point.")
    page.section("FILES")
    page.text(
      "A recording is lines of JSON: gpsd's own, byte for byte, and between them lines of "
        + "locwatch that tell the seconds since the start:")
    page.example([#"{"class":"LOCWATCH","t":12.345}"#])
    page.paragraph(
      "gpscsv and gpsprof read it too. On replay a damaged line is counted and skipped; "
        + "a file without any report of gpsd's ends it with status 65, and what it is is said where "
        + "that can be told. The output begins when something is known of a receiver.")
    page.section("EXAMPLES")
    for example in Examples.all { page.item(Roff.bold(example.command), example.purpose) }
    page.section("SEE ALSO")
    let pages = [
      ("cgps", 1), ("gpsctl", 1), ("gpscsv", 1), ("gpspipe", 1), ("gpsd_json", 5), ("gpsd", 8),
    ]
    page.raw(pages.map { "\(Roff.bold($0.0))(\($0.1))" }.joined(separator: ",\n"))
  }
}
