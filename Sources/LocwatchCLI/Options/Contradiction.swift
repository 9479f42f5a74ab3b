import GPSDLocation
import LocationFormats
import LocationText
import LocwatchSystem

/// Arguments that contradict each other, or lack what they need.
struct Contradiction: Sendable {
  /// A command line whose arguments are all right by themselves.
  struct CommandLine {
    let options: Options
    let given: [Option.Name]
    let operands: [String]
  }

  private let isPresent: @Sendable (CommandLine) -> Bool
  private let message: @Sendable (CommandLine) -> String

  private init(
    _ message: @autoclosure @escaping @Sendable () -> String,
    if isPresent: @escaping @Sendable (CommandLine) -> Bool
  ) {
    self.isPresent = isPresent
    self.message = { _ in message() }
  }

  private init(
    if isPresent: @escaping @Sendable (CommandLine) -> Bool,
    message: @escaping @Sendable (CommandLine) -> String
  ) {
    self.isPresent = isPresent
    self.message = message
  }

  /// Throws the first contradiction of a command line.
  static func refuse(_ line: CommandLine) throws(UsageError) {
    for contradiction in all where contradiction.isPresent(line) {
      throw UsageError(contradiction.message(line))
    }
  }
}

extension Contradiction {
  /// Something that a command line can ask for, as it is written there.
  private struct Request: Sendable {
    let text: String
    let isMade: @Sendable (CommandLine) -> Bool

    init(_ text: String, isMade: @escaping @Sendable (CommandLine) -> Bool) {
      self.text = text
      self.isMade = isMade
    }

    static func option(_ name: Option.Name) -> Request {
      Request("--\(name.rawValue)") { $0.given.contains(name) }
    }

    static let countOne = Request("--count 1") { $0.options.goal.count == 1 }
    static let recordToOutput = Request("--record -") { $0.options.recordsToOutput }
    static let reportToOutput = Request("--report -") {
      $0.options.report?.replacesOutput == true
    }
    static let outputFile = Request("--output") { $0.options.outputFile != nil }
    static let prometheus = Request("prometheus") { $0.options.format == .prometheus }
    static let severalTargets = Request("several targets") { $0.options.hasFleet }
    static let recordToFolder = Request("--record DIR/") { $0.options.record?.isFolder == true }
    static let outputToFile = Request("--output FILE") { $0.options.outputFile != nil }
    static let firstFix = Request("--once") { $0.options.goal.once || $0.options.goal.count == 1 }
  }

  private static func conflicts(of first: Request, with others: [Request]) -> [Contradiction] {
    others.map { other in
      Contradiction("\(first.text) and \(other.text) cannot be combined") {
        first.isMade($0) && other.isMade($0)
      }
    }
  }

  private static func conflicts(
    of first: Option.Name, with others: Option.Name...
  ) -> [Contradiction] {
    conflicts(of: .option(first), with: others.map(Request.option))
  }

  private static func needs(_ request: Request, _ other: Request) -> [Contradiction] {
    [
      Contradiction("\(request.text) needs \(other.text)") {
        request.isMade($0) && !other.isMade($0)
      }
    ]
  }

  private static func replacesOutput(_ request: Request) -> [Contradiction] {
    [
      Contradiction("\(request.text) replaces the output, so --format has no effect") {
        request.isMade($0) && ($0.given.contains(.json) || $0.given.contains(.format))
      }
    ]
  }

  /// An option that names a property of a single target.
  private static func ofSingleTarget(_ name: Option.Name, _ advice: String) -> [Contradiction] {
    [
      Contradiction("--\(name.rawValue) \(advice)") {
        $0.options.hasFleet && $0.given.contains(name)
      }
    ]
  }

  /// An option that works only with formats of a trait.
  private static func formats(
    of name: Option.Name, have trait: LocationFormat.Traits
  ) -> [Contradiction] {
    [
      Contradiction(if: {
        $0.given.contains(name) && !$0.options.format.traits.contains(trait)
          // The units are also those of a report.
          && !(trait == .units && $0.options.report != nil)
      }) {
        let names = LocationFormat.named.filter { $0.traits.contains(trait) }.map(\.name)
        let all = trait == .coordinates ? names + ["templates"] : names
        return "--\(name.rawValue) works with \(Text.list(all)), "
          + "not with \($0.options.format.title)"
      }
    ]
  }

  /// The options that mean something with `--doctor`.
  private static let besidesDoctor: [Option.Name] = [
    .doctor, .device, .json, .color, .quiet, .verbose, .generate, .version, .help,
  ]

  /// All contradictions, in the order in which they are looked for.
  private static let all: [Contradiction] = [
    conflicts(
      of: .option(.doctor),
      with: Option.Name.allCases.filter { !besidesDoctor.contains($0) }.map(Request.option)),
    conflicts(of: .option(.doctor), with: [.severalTargets]),
    conflicts(of: .any, with: .best),
    conflicts(of: .reconnect, with: .noReconnect),
    conflicts(of: .events, with: .once, .noEvents),
    conflicts(of: .once, with: .region),
    [
      Contradiction("--once and --class cannot be combined: the run ends with its first fix") {
        $0.given.contains(.once) && $0.given.contains(.class)
      }
    ],
    conflicts(of: .record, with: .replay),
    conflicts(of: .quiet, with: .verbose),
    conflicts(of: .view, with: .json, .format, .output, .once, .satellites, .events, .noEvents),
    conflicts(of: .option(.view), with: [.countOne, .recordToOutput, .reportToOutput]),
    needs(.option(.any), .severalTargets),
    needs(.option(.any), .firstFix),
    needs(.option(.best), .severalTargets),
    needs(.option(.average), .firstFix),
    conflicts(of: .average, with: .best, .minMove, .satellites),
    conflicts(of: .replay, with: .targets),
    conflicts(of: .corrections, with: .replay),
    ofSingleTarget(.corrections, "belongs to the receiver of a single target"),
    needs(.option(.correctionsGGA), .option(.corrections)),
    [
      Contradiction(if: { $0.options.corrections != nil && !$0.options.takesCorrections }) {
        "--corrections needs a serial receiver or tcp://: \($0.options.lackOfCorrections)"
      }
    ],
    ofSingleTarget(.source, "names a single target; write NAME=TARGET"),
    ofSingleTarget(.device, "belongs to a single target; write SERVER:PORT:DEVICE"),
    conflicts(of: .recordToOutput, with: [.option(.best), .reportToOutput, .outputFile]),
    replacesOutput(.reportToOutput),
    conflicts(of: .reportToOutput, with: [.outputFile]),
    needs(.prometheus, .outputToFile),
    conflicts(of: .prometheus, with: [.firstFix]),
    needs(.option(.reference), .option(.report)),
    needs(.option(.every), .option(.report)),
    [
      Contradiction("--stop needs --report or --output DIR/") {
        $0.given.contains(.stop) && $0.options.report == nil && $0.options.legFolder == nil
      }
    ],
    conflicts(of: .option(.every), with: [.reportToOutput]),
    needs(.option(.turn), .option(.interval)),
    needs(.option(.rotate), .recordToFolder),
    needs(.option(.keep), .recordToFolder),
    needs(.option(.speed), .option(.replay)),
    needs(.option(.from), .option(.replay)),
    needs(.option(.to), .option(.replay)),
    [
      Contradiction("--from must be before --to") { $0.options.range.isEmpty },
      Contradiction(if: { $0.options.isReplay && !$0.operands.isEmpty }) {
        "--replay cannot be combined with '\($0.operands[0].withoutTypedUserInfo)'"
      },
      Contradiction("--replay - can be given only once") {
        $0.options.replays.count(where: \.isStandardStream) > 1
      },
      Contradiction(if: { $0.options.goal.once && ($0.options.goal.count ?? 1) != 1 }) {
        "--once and --count \($0.options.goal.count ?? 1) cannot be combined"
      },
    ],
    conflicts(of: .option(.events), with: [.countOne]),
    [
      Contradiction("--class and --count 1 cannot be combined: the run ends with its first fix") {
        $0.given.contains(.class) && $0.options.goal.count == 1
      }
    ],
    conflicts(of: .option(.region), with: [.countOne, .option(.noEvents)]),
    [
      Contradiction(if: { $0.given.contains(.json) && $0.options.format != .ndjson }) {
        "--json and --format \($0.options.format.title) cannot be combined"
      }
    ],
    replacesOutput(.recordToOutput),
    formats(of: .coords, have: .coordinates),
    [
      Contradiction(
        if: {
          !$0.options.coordinates.isOfAngles && $0.options.format.traits.contains(.separateAngles)
        },
        message: {
          "--coords works with text (in a template, write %maidenhead, %utm or %mgrs), "
            + "not with \($0.options.format.title)"
        })
    ],
    formats(of: .units, have: .units),
    formats(of: .satellites, have: .satellites),
    formats(of: .events, have: .transitions),
    formats(of: .region, have: .transitions),
    formats(of: .class, have: .reports),
    [
      Contradiction(if: {
        guard let ending = $0.options.outputFile.flatMap(FormatEnding.init) else { return false }
        return !ending.accepts($0.options.format)
      }) {
        let ending = $0.options.outputFile.flatMap(FormatEnding.init)
        return "--output FILE.\(ending?.text ?? "") is \(ending?.format.title ?? ""), and not "
          + "\($0.options.format.title): write --format \(ending?.format.name ?? ""), or another name"
      },
      Contradiction(if: {
        $0.options.outputFile?.isFolder == true && !$0.options.format.traits.contains(.legs)
      }) {
        "--output DIR/ works with gpx, kml and geojson, not with \($0.options.format.title)"
      },
      Contradiction("--once writes no leg: --output DIR/ cannot be combined with it") {
        $0.options.legFolder != nil && Request.firstFix.isMade($0)
      },
      Contradiction("--average has columns of its own, so it works with csv alone") {
        $0.options.goal.average != nil && $0.options.format.name == "csv"
          && !$0.options.format.traits.contains(.averages)
      },
    ],
    formats(of: .average, have: .averages),
  ].flatMap { $0 }
}

extension Options {
  /// Whether the receiver can be given corrections.
  fileprivate var takesCorrections: Bool {
    switch target {
    case .tty: true
    case .network(let address): address.transport == .tcp
    case .gpsd: false
    }
  }

  /// Why the receiver cannot be given corrections.
  fileprivate var lackOfCorrections: String {
    if case .network(let address) = target { return "nothing can be sent to \(address)" }
    return
      "a gpsd that locwatch has not started itself can only be given the URL of the caster when it starts"
  }
}
