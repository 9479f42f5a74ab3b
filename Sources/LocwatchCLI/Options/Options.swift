import GPSDLocation
package import LocationCore

/// What a command line asks for.
package struct Options: Equatable, Sendable {
  /// What to do at all; everything but ``Action/run`` is done without a receiver.
  package var action = Action.run
  package var target = Target.gpsd(GPSDEndpoint(), device: nil)
  /// The one receiver that counts, from `--device` or from the target; `nil` for all of them.
  package var device: String?

  /// Whether to print one fix alone, and end.
  package var once = false
  /// How many fixes to write before the end, at least 1; `nil` for no end. 1 with ``once``.
  package var count: Int?
  /// How long to wait for a fix that counts, more than zero; `nil` for ever.
  package var timeout: Duration?
  /// After how much of the source's time to stop, more than zero; `nil` for no end.
  package var duration: Duration?
  /// `nil` where the command line leaves it to the kind of use: see ``reconnects``.
  package var reconnect: Bool?

  /// The weakest mode of a fix that counts.
  package var weakestFix = FixMode.twoD
  /// The largest accuracy that counts, in metres; `nil` for any.
  package var accuracy: Double?
  /// Silence after which a fix is no longer current; `nil` for the watcher's own choice.
  package var stale: Duration?
  /// Fixes within so many metres of the last one written are left out.
  package var minMove: Double?
  /// The shortest time between two fixes written.
  package var interval: Duration?

  package var format = OutputFormat.text
  package var coordinates = CoordinateStyle.decimal
  /// The units that `--units` gives.
  package var units: UnitSystem?
  /// The units that `GPSD_UNITS` gives, for people at a terminal.
  package var environmentUnits: UnitSystem?
  package var satellites = false
  package var events = EventChoice.all
  /// What to write as `source` in each JSON record; `nil` for no such member.
  package var source: String?

  /// The file to record to; `-` for stdout, in place of the output.
  package var record: String?
  /// The files to replay, one after the other; `-` for stdin.
  package var replays: [String] = []
  package var speed = ReplaySpeed.max

  package var stats = false
  package var quiet = false
  package var verbose = false
  package var color = ColorChoice.auto

  package init() {}

  /// Whether fixes come out of files, and not from a gpsd.
  package var isReplay: Bool { !replays.isEmpty }

  /// The units of the line that is redrawn.
  package var screenUnits: UnitSystem { units ?? environmentUnits ?? .metric }

  /// Whether to try again when gpsd cannot be reached or goes away.
  package var reconnects: Bool { reconnect ?? !once }
}

extension Options {
  package enum Action: Equatable, Sendable {
    case run
    case help
    case version
    case generate(GeneratedFile)
  }

  /// Which records are written: fixes, transitions, or both.
  package enum EventChoice: Equatable, Sendable {
    case all
    case transitionsOnly
    case fixesOnly
  }

  package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// What the option table can be turned into.
  package enum GeneratedFile: String, CaseIterable, Sendable {
    case manual = "man"
    case bash = "complete-bash"
    case zsh = "complete-zsh"
    case fish = "complete-fish"
  }

  /// How fast a recording is replayed.
  package enum ReplaySpeed: Equatable, Sendable {
    case max
    /// So many times as fast as it was recorded; more than zero.
    case times(Double)
  }
}
