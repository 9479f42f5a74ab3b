/// What the exit statuses mean.
enum ExitStatusTable {
  /// The numbers, a few words for the help, and a sentence for the manual page.
  static let rows: [(numbers: String, summary: String, detail: String)] = [
    (
      "0", "what was asked for was written",
      "What was asked for was written, a replay ended, or stdout was closed by its reader."
    ),
    ("1", "a fault of locwatch itself", "A fault of locwatch itself."),
    ("64", "the command line is wrong", "The command line is wrong."),
    ("65", "the replay file is not gpsd JSON", "The replay file is not gpsd JSON."),
    (
      "66", "the replay file or the serial device cannot be opened",
      "The replay file or the serial device cannot be opened."
    ),
    (
      "69", "gpsd cannot be reached, or went away",
      "gpsd cannot be reached, did not answer within the timeout, or went away under "
        + "--no-reconnect; the private gpsd could not be started; or the receiver that --device "
        + "names is not there, which a replay knows at its end."
    ),
    (
      "73, 74", "an output file cannot be created, or written",
      "An output file cannot be created (73), or written (74)."
    ),
    (
      "124", "the timeout passed without the wanted fix",
      "The timeout passed without the wanted fix, although gpsd answered."
    ),
    (
      "129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM",
      "Ended by SIGHUP, SIGINT or SIGTERM: files are closed validly, the terminal is restored."
    ),
  ]
}
