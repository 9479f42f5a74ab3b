import LocationCore
import LocationText
import LocwatchDoctor
import LocwatchReceivers
import LocwatchSystem

/// What locwatch says of a machine and of what its gpsd reports: as the doctor, and as a run without a fix.
struct Consultation {
  /// The commands that are to be copied.
  private(set) var commands: [String] = []
  /// The report of the doctor, as on a terminal.
  private(set) var report = ""

  /// - Parameters:
  ///   - root: The folder that stands for the machine.
  ///   - updates: What came of gpsd.
  ///   - failure: Why the connection failed; `nil` if it did not.
  ///   - messages: The file that stands for standard error.
  init(
    _ question: Question, root: String, updates: [LocationUpdate], failure: LocationError?,
    messages: FilePath
  ) throws {
    let machine = Machine(root: root)
    examine(question.target, machine, updates, failure)
    let log = Log(isVerbose: false, isQuiet: false, to: try Descriptor(appendingTo: messages))
    var diagnosis = Diagnosis(question, on: machine)
    var verboseLog = VerboseLog()
    var remarks = FixRemarks()
    for update in updates {
      diagnosis.record(update)
      for sentence in verboseLog.sentences(for: update, at: Moment(uptime: .zero)) {
        log.error("\(sentence)")
      }
      guard case .fix(let fix) = update else { continue }
      for remark in remarks.remarks(on: fix) { log.error("\(remark)") }
    }
    log.error(diagnosis.noFix(within: nil))
    if let failure {
      log.error(diagnosis.message(for: failure))
      log.named(failure.detail).error(diagnosis.message(for: failure))
    }
  }

  private mutating func examine(
    _ target: Target, _ machine: Machine, _ updates: [LocationUpdate], _ failure: LocationError?
  ) {
    var conversation = Conversation()
    for update in updates {
      switch update {
      case .fix(let fix): conversation.record(.fix(fix), at: Moment(uptime: .zero))
      case .event(let event): conversation.record(event, at: Moment(uptime: .zero))
      case .state, .change, .retry: break
      }
    }
    conversation.failure = failure
    conversation.duration = .seconds(16)
    let findings = Check.findings(of: Examination(of: target, conversation, on: machine))
    commands = findings.flatMap { $0.remedy.commands.map(\.text) }
    report = DoctorReport(findings: findings).text(TerminalStyle()).string
  }
}
