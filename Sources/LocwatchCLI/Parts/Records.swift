import LocationCore
import LocationFormats
import LocwatchTerminal

/// Presents updates, until enough fixes are written.
struct Records: SourcePart {
  private let number: Int
  private let wantedFixes: Int?
  private(set) var counts = SourceCounts()

  init(_ options: Options, _ number: Int) {
    self.number = number
    wantedFixes = options.goal.count
  }

  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    guard output.presenter.hasRoom(for: update, of: number) else {
      counts.drops += 1
      return .stop
    }
    output.presenter.present(update, of: number, at: moment)
    guard case .fix(let fix) = update, fix.isCurrent else { return .next }
    counts.fixes += 1
    return counts.fixes == wantedFixes ? .done(.complete) : .next
  }

  func finish(at moment: Moment, on output: inout SharedOutput) {
    output.presenter.recordEnd(of: number)
  }
}

/// Gives updates to the served page.
struct PageUpdates: SourcePart {
  private let number: Int

  init?(_ options: Options, _ number: Int) {
    if options.serve == nil { return nil }
    self.number = number
  }

  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    output.page?.record(update, of: number, at: moment)
    return .next
  }
}

extension RunReport.Part: SourcePart {
  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    add(update, at: moment)
    return .next
  }

  func finish(at moment: Moment, on output: inout SharedOutput) { end(at: moment) }
}
