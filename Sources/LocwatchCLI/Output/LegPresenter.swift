import LocationCore
import LocationReports
import LocationText
import LocwatchSystem
import LocwatchTerminal

/// Writes a file for each leg of each receiver, of one source or several.
struct LegPresenter: Presenter {
  private enum Job {
    case handle(LocationUpdate, source: Int, moment: Moment)
    case end(source: Int)
    case begin(OutputStyle, source: Int)
  }

  private struct Source {
    var style: OutputStyle
    var receivers = ReceiverTable<LegWriter>()
  }

  private let folder: LegFolder
  private let advise: @Sendable (Message) -> Void
  /// Whether there was a current fix, and the number of files of receivers that are gone.
  private var hasFix = false
  private var files = 0
  private var sources: [Source] = []
  /// The work for the next flush, which can fail.
  private var jobs: [Job] = []
  /// When the first of the current legs ends if no fix comes; `nil` if there is no leg.
  private var deadline: Moment?

  /// - Parameter advise: Called at the end if there was no leg, with the reason.
  init(to folder: LegFolder, advise: @escaping @Sendable (Message) -> Void = { _ in }) {
    self.folder = folder
    self.advise = advise
  }

  var status: OutputStatus {
    OutputStatus(
      hasPending: !jobs.isEmpty, isWorthFlushing: jobs.count >= 256, nextTick: deadline)
  }

  mutating func add(_ style: OutputStyle, as source: Int) {
    guard source < sources.count else { return sources.append(Source(style: style)) }
    // The legs of the source that had this number before end first.
    jobs += [.end(source: source), .begin(style, source: source)]
  }

  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    switch update {
    case .fix(let fix) where fix.isCurrent:
      jobs.append(.handle(update, source: source, moment: moment))
    case .state: jobs.append(.handle(update, source: source, moment: moment))
    case .fix, .change, .retry, .event: break
    }
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    do throws(OutputError) {
      try write(at: now)
    } catch {
      close()
      throw error
    }
  }

  private mutating func write(at now: Moment) throws(OutputError) {
    let all = jobs
    jobs = []
    for job in all {
      switch job {
      case .handle(let update, let source, let moment):
        try handle(update, of: source, at: moment)
      case .end(let source): try end(source)
      case .begin(let style, let source): sources[source].style = style
      }
    }
    deadline = nil
    for source in sources.indices {
      for index in sources[source].receivers.indices {
        try sources[source].receivers.values[index].flush(at: now)
        let due = sources[source].receivers.values[index].deadline
        deadline = due?.earlier(of: deadline) ?? deadline
      }
    }
  }

  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    do throws(OutputError) {
      try write(at: .past)
      for source in sources.indices { try end(source) }
    } catch {
      close()
      throw error
    }
    guard files == 0 else { return }
    let reach = (sources.first?.style.stops ?? StopCriteria()).reach
    let (far, about) = (Text.rounded(reach, places: 0), Text.rounded(2 * reach, places: 0))
    let reason: Message =
      hasFix
      ? "no receiver moved \(far) m or more from where it stood, or \(about) m about it (see --stop)"
      : "there was no fix"
    advise("nothing was written to \(folder.path): \(reason)")
  }

  /// Closes the documents of all files. After an error, nothing more is written.
  private mutating func close() {
    jobs = []
    deadline = nil
    for source in sources.indices {
      for index in sources[source].receivers.indices {
        sources[source].receivers.values[index].close()
      }
    }
  }

  private mutating func handle(
    _ update: LocationUpdate, of source: Int, at moment: Moment
  ) throws(OutputError) {
    switch update {
    case .fix(let fix):
      hasFix = true
      let index =
        sources[source].receivers.find(fix.device)
        ?? sources[source].receivers.insert(
          LegWriter(to: folder, sources[source].style), for: fix.device, inPlaceOf: { _ in false })
      guard let index else { return }
      try sources[source].receivers.values[index].handle(update, at: moment)
    case .state(let change):
      for index in sources[source].receivers.indices {
        let isMeant =
          change.subject == .link
          || change.subject == .receiver(sources[source].receivers.path(at: index))
        if isMeant { try sources[source].receivers.values[index].handle(update, at: moment) }
      }
    case .change, .retry, .event: break
    }
  }

  /// Ends the legs of a source.
  private mutating func end(_ source: Int) throws(OutputError) {
    for index in sources[source].receivers.indices {
      try sources[source].receivers.values[index].finish()
      files += sources[source].receivers.values[index].files
    }
    sources[source].receivers = ReceiverTable()
  }
}
