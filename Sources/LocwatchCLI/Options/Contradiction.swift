import GPSDLocation
import GPSDProtocol
import LocationCore
import LocationFormats
import LocationText
import LocwatchReceivers
import LocwatchRecordings
import LocwatchSystem

/// An argument that contradicts another argument on the command line, or lacks one that it needs.
struct Contradiction: Sendable {
  /// A command line whose arguments are valid when each is considered separately.
  struct CommandLine {
    let options: Options
    let given: [Option.Name]
    let operands: [String]
  }

  /// Returns a message about the contradiction; `nil` if there is none.
  private let message: @Sendable (CommandLine) -> String?

  private init(_ message: @escaping @Sendable (CommandLine) -> String?) { self.message = message }

  private init(_ text: String, if isPresent: @escaping @Sendable (CommandLine) -> Bool) {
    message = { isPresent($0) ? text : nil }
  }

  /// Throws the first contradiction of a command line.
  static func refuse(_ line: CommandLine) throws(UsageError) {
    for contradiction in all {
      if let message = contradiction.message(line) { throw UsageError(message) }
    }
  }
}

extension Contradiction {
  /// Something that a command line can request, in the form that users write.
  private struct Request: Sendable {
    let text: String
    /// A remark that is added to a message about a conflict.
    var remark = ""
    let isMade: @Sendable (CommandLine) -> Bool

    static let reports = Request(text: "--class", remark: ": the run ends with its first fix") {
      $0.given.contains(.class)
    }
    static let countOne = Request(text: "--count 1") { $0.options.goal.count == 1 }
    static let recordToOutput = Request(text: "--record -") { $0.options.recordsToOutput }
    static let reportToOutput = Request(text: "--report -") {
      $0.options.report?.replacesOutput == true
    }
    static let output = Request(text: "--output") { $0.options.outputFile != nil }
    static let outputToFile = Request(text: "--output FILE", isMade: output.isMade)
    static let prometheus = Request(text: "prometheus") { $0.options.format == .prometheus }
    static let severalTargets = Request(text: "several targets") { $0.options.hasFleet }
    static let recordToFolder = Request(text: "--record DIR/") {
      $0.options.record?.isFolder == true
    }
    static let firstFix = Request(text: "--once") {
      $0.options.goal.once || $0.options.goal.count == 1
    }
  }

  private static func option(_ names: Option.Name...) -> [Request] { options(names) }

  private static func options(_ names: [Option.Name]) -> [Request] {
    names.map { name in Request(text: "--\(name.rawValue)") { $0.given.contains(name) } }
  }

  /// Each request in the first list of a pair contradicts each one in the second.
  private static func conflicts(_ pairs: ([Request], [Request])...) -> Contradiction {
    Contradiction { line in
      for (first, second) in pairs {
        for first in first where first.isMade(line) {
          for second in second where second.isMade(line) {
            return "\(first.text) and \(second.text) cannot be combined"
              + first.remark + second.remark
          }
        }
      }
      return nil
    }
  }

  /// Each request in the first list of a pair needs each one in the second.
  private static func needs(_ pairs: ([Request], [Request])...) -> Contradiction {
    Contradiction { line in
      for (first, second) in pairs {
        for first in first where first.isMade(line) {
          for second in second where !second.isMade(line) {
            return "\(first.text) needs \(second.text)"
          }
        }
      }
      return nil
    }
  }

  private static func replacesOutput(_ request: Request) -> Contradiction {
    Contradiction { line in
      guard request.isMade(line) else { return nil }
      var names = Options.optionsOfRecords + [.average]
      // A page has satellites and regions, too. Units are also in a report.
      if line.options.serve != nil { names.removeAll { $0 == .satellites || $0 == .region } }
      if line.options.serve == nil, line.options.report == nil { names.append(.units) }
      return names.first(where: line.given.contains).map {
        "\(request.text) replaces the output, so --\($0.rawValue) has no effect"
      }
    }
  }

  /// Options for a property of a single target, and what to write instead.
  private static func ofSingleTarget(_ options: (Option.Name, String)...) -> Contradiction {
    Contradiction { line in
      let wrong = options.first { line.options.hasFleet && line.given.contains($0.0) }
      return wrong.map { "--\($0.0.rawValue) \($0.1)" }
    }
  }

  /// Options that work only with formats that have a trait.
  private static func formats(_ traits: (Option.Name, LocationFormat.Traits)...) -> Contradiction {
    Contradiction { line in
      for (name, trait) in traits
      where line.given.contains(name) && !line.options.format.traits.contains(trait) {
        // The units also apply to a report.
        if trait == .units, line.options.report != nil { continue }
        let names = LocationFormat.named.filter { $0.traits.contains(trait) }.map(\.name)
        let all = trait == .coordinates ? names + ["templates"] : names
        return "--\(name.rawValue) works with \(Text.list(all)), "
          + "not with \(line.options.format.title)"
      }
      return nil
    }
  }

  /// The options that have a meaning with `--doctor`.
  private static let besidesDoctor: [Option.Name] = [
    .doctor, .device, .json, .color, .quiet, .verbose, .generate, .version, .help,
  ]

  /// All contradictions, in the order in which they are checked.
  private static let all: [Contradiction] = [
    conflicts(
      (
        option(.doctor),
        options(Option.Name.allCases.filter { !besidesDoctor.contains($0) }) + [.severalTargets]
      )),
    conflicts(
      (option(.reconnect), option(.noReconnect)),
      (option(.events), option(.once, .noEvents)), (option(.once), option(.region) + [.reports]),
      (option(.record), option(.replay)), (option(.quiet), option(.verbose)),
      (
        option(.view),
        option(.json, .format, .output, .once, .satellites, .events, .noEvents)
          + [.countOne, .recordToOutput, .reportToOutput]
      )),
    needs(
      (option(.best), [.severalTargets]), (option(.average), [.firstFix])),
    conflicts(
      (option(.average), option(.best, .minMove, .satellites)),
      (option(.corrections), option(.replay))),
    ofSingleTarget((.corrections, "belongs to the receiver of a single target")),
    needs((option(.serveName), option(.serve))),
    Contradiction { line in
      guard line.options.corrections != nil, let lack = line.options.target.lackOfCorrections
      else { return nil }
      return "--corrections needs a serial receiver or tcp://: \(lack)"
    },
    ofSingleTarget((.device, "belongs to a single target; write SERVER:PORT:DEVICE")),
    conflicts(([.recordToOutput], option(.best) + [.reportToOutput, .output])),
    Contradiction("with --best, --class needs --record") {
      $0.options.takesBest && $0.given.contains(.class) && $0.options.record == nil
    },
    replacesOutput(.reportToOutput),
    conflicts(([.reportToOutput], [.output])),
    needs(([.prometheus], [.outputToFile])),
    conflicts(([.prometheus], [.firstFix])),
    needs((option(.reference), option(.report))),
    Contradiction("--stop needs --report or --output DIR/") {
      $0.given.contains(.stop) && $0.options.report == nil && $0.options.legFolder == nil
    },
    needs(
      (option(.rotate, .keep), [.recordToFolder]),
      (option(.speed, .from, .to), option(.replay))),
    Contradiction("--from must be before --to") { $0.options.range.isEmpty },
    Contradiction { line in
      guard line.options.isReplay, let operand = line.operands.first else { return nil }
      return "--replay cannot be combined with '\(operand.withoutTypedUserInfo)'"
    },
    Contradiction("--keep can be given only once, with an age or a size") {
      $0.given.count { $0 == .keep } > 1
    },
    Contradiction("--replay - can be given only once") {
      $0.options.replays.count(where: \.isStandardStream) > 1
    },
    Contradiction { line in
      guard line.options.goal.once, let count = line.options.goal.count, count != 1
      else { return nil }
      return "--once and --count \(count) cannot be combined"
    },
    conflicts(
      (option(.events) + [.reports], [.countOne]),
      (option(.region), [.countOne] + option(.noEvents))),
    Contradiction { line in
      guard line.given.contains(.json), line.options.format != .ndjson else { return nil }
      return "--json and --format \(line.options.format.title) cannot be combined"
    },
    replacesOutput(.recordToOutput),
    Contradiction { line in
      let (options, traits) = (line.options, line.options.format.traits)
      guard !options.coordinates.isOfAngles, traits.contains(.separateAngles) else { return nil }
      return "--coords works with text (in a template, write %maidenhead, %utm or %mgrs), "
        + "not with \(options.format.title)"
    },
    formats(
      (.coords, .coordinates), (.units, .units), (.satellites, .satellites),
      (.events, .transitions), (.region, .transitions), (.class, .reports)),
    Contradiction { line in
      let format = line.options.format
      guard let ending = line.options.outputFile.flatMap(FormatEnding.init),
        !ending.accepts(format)
      else { return nil }
      return "--output FILE.\(ending.text) means \(ending.format.title), but the format is "
        + "\(format.title): write --format \(ending.format.name), or choose another name"
    },
    Contradiction { line in
      guard !line.given.contains(.format), !line.given.contains(.json),
        let ending = line.options.outputFile.flatMap(FormatEnding.unknown)
      else { return nil }
      return "--output FILE.\(ending) says no format: "
        + "\(FormatEnding.all.map { "." + $0 }.joined(separator: ", ")) do; "
        + "for text, choose .txt or add --format text"
    },
    Contradiction { line in
      guard line.options.outputFile?.isFolder == true else { return nil }
      guard line.options.legFolder != nil else {
        return "--output DIR/ works with gpx, kml and geojson, "
          + "not with \(line.options.format.title)"
      }
      return Request.firstFix.isMade(line)
        ? "--once writes no legs, so it cannot be combined with --output DIR/" : nil
    },
    Contradiction("--average has its own columns, so it works only with plain csv") {
      $0.given.contains(.average) && $0.options.format.name == "csv"
        && !$0.options.format.traits.contains(.averages)
    },
    formats((.average, .averages)),
  ]
}

extension Target {
  /// Why the receiver cannot be given corrections; `nil` if it can.
  fileprivate var lackOfCorrections: String? {
    switch self {
    case .tty: nil
    case .network(let address) where address.transport == .tcp: nil
    case .network(let address): "nothing can be sent to \(address)"
    case .gpsd:
      "a gpsd that locwatch did not start takes the caster's URL only when it starts"
    }
  }
}
