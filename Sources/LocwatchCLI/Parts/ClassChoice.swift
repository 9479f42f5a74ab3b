import GPSDLocation
import LocationCore

/// Passes on the classes of gpsd's reports that were requested. Others are only counted.
struct ClassChoice: SourcePart {
  private let classes: Set<ServiceReport.Kind>

  init?(_ options: Options) {
    if options.view { return nil }
    classes = options.classes
  }

  func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) -> Passage {
    switch update {
    case .event(.other(let report)): return classes.contains(report.kind) ? .next : .stop
    case .change(let change):
      if case .pulses = change.kind { return classes.contains(.pps) ? .next : .stop }
      return .next
    case .fix, .state, .retry, .event: return .next
    }
  }
}
