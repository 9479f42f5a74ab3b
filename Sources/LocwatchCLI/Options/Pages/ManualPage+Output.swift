extension ManualPage {
  static func states(_ page: inout Roff) {
    page.section("STATES")
    page.text(
      "There is one state of the link to gpsd, and one of each receiver behind it. A transition "
        + "is written when it happens.")
    for (state, meaning) in stateMeanings { page.item(Roff.bold(state), meaning) }
  }

  private static let stateMeanings = [
    (
      "connecting",
      "There is not yet an answer from gpsd. It may take 7 seconds when it opens a receiver."
    ),
    (
      "no-daemon",
      "gpsd refused, went away or stays silent; retryIn says in how many seconds it is tried "
        + "again."
    ),
    ("no-device", "gpsd answers and has no receiver, or the receiver was removed."),
    ("searching", "The receiver reports, without a position."),
    ("fix-2d", "A current position: latitude and longitude."),
    ("fix-3d", "A current position with a height."),
    (
      "lost",
      "There was a fix; now the receiver reports none (reason: no-fix), reports nothing "
        + "(silence), or repeats the same instant (stuck)."
    ),
  ]

  static func output(_ page: inout Roff) {
    page.section("OUTPUT")
    page.text(
      "Data goes to stdout, everything else to stderr. What is unknown is absent. Machine formats "
        + "are in metres, metres per second, degrees and UTC, whatever --units and the locale are.")
    for (format, meaning) in formats { page.item(Roff.bold(format), meaning) }
    page.subsection("Fields of a fix")
    page.text(
      "These are the members of a JSON record of type fix, in their order, and the names for "
        + "--format csv: and for templates. The names are those of gpsd_json(5) where it has them.")
    for field in FixField.allCases { page.item(Roff.bold(field.rawValue), field.meaning + ".") }
    page.item(
      Roff.bold("satellites"),
      "the satellites in view, with --satellites, in JSON only: PRN, gnssid, svid, sigid, el and "
        + "az (elevation and azimuth, in degrees), ss (signal strength, in dBHz), used, health.")
    page.subsection("Fields of a transition")
    for (field, meaning) in stateFields { page.item(Roff.bold(field), meaning) }
  }

  private static let formats = [
    (
      "text",
      "One line a record, words apart by spaces: time, state, and then, of a fix, latitude, "
        + "longitude and, of a 3D fix, the height above mean sea level; of a transition, the "
        + "receiver's path (a dash where the link to gpsd is meant, or it has no name), the reason "
        + "and, where a fix has ended, its time and position. Once gpsd has had a second receiver, "
        + "each fix has its height, or a dash, and the path of its receiver. The time is the "
        + "receiver's: that of the fix, or the last time that a fix told and what has passed "
        + "since; until a fix has told one this machine's, and a dash for connecting. "
        + "With --once the position stands alone."
    ),
    (
      "text on a terminal",
      "Transitions scroll by, with the time of day in UTC, and the last lines are redrawn in place, "
        + "one for each receiver in the order in which they appeared. What matters least goes first "
        + "where it is narrow: the satellites, the speed, the height, the accuracy. A time with ago "
        + "is the age of the position (of a current one from 2 s on), one with for is how long the "
        + "state lasts. After a loss the last position stands there as such until there is another "
        + "or gpsd begins anew. With --count, --once, and in a replay at full speed, records are "
        + "written as in a pipe."
    ),
    ("json", "NDJSON: one record a line, of type fix or state."),
    (
      "csv",
      "RFC 4180 with a header. A cell is empty where its value is unknown. A text that a "
        + "spreadsheet would run as a formula begins with an apostrophe."
    ),
    (
      "gpx",
      "GPX 1.1: a track for each receiver in turn, a new segment after every loss. ele is the "
        + "height above mean sea level. A file is closed anew with every write, and so is valid "
        + "whenever locwatch ends; a pipe, and a file that is appended to, are closed at the end. "
        + "Only kill -9 in the midst of a write of many fixes, as a replay does them, can tear it."
    ),
    (
      "geojson",
      "RFC 7946: a collection of points, longitude, latitude, height above the ellipsoid, with the "
        + "members of the JSON records as properties. A file is closed as one of gpx is."
    ),
    ("geo", "RFC 5870: geo:48.118633333,11.517333333,592.3;u=24.7, u being the accuracy."),
    (
      "template",
      "A text with a % in it: %NAME is a field of the list below (%sats is short for satsUsed), "
        + "%% a percent sign, \\n a line end, \\t a tab; a line end follows each. The name ends "
        + "before the first character that is neither a letter nor a digit; where such follow, it "
        + "stands in braces: %{lat}N. A dash stands for what is unknown."
    ),
  ]

  private static let stateFields = [
    ("state", "the state, as listed above."),
    ("previous", "the state before it."),
    ("reason", "why, in a few words; words of gpsd or of the system."),
    ("device", "the receiver's path; absent where the link is meant."),
    ("lastFix", "the last fix that was current: its time, lat and lon."),
    ("retryIn", "how long until gpsd is tried again, in seconds."),
    ("received", "when it happened, by this machine's clock, UTC."),
    ("source", "in both types of records: the name that --source gives."),
  ]
}
