import LocationCore

/// Tells of the chain from gpsd to the satellites while it comes about, for `--verbose`.
struct Narrator {
  /// How often those who wait for a fix hear of the satellites.
  private static let interval = Duration.seconds(10)

  private struct View {
    var reception = Reception()
    /// Since when there has been no fix; `nil` while there is one.
    var waitsSince: Moment?
    /// When the satellites were told of, in this state.
    var told: Moment?
  }

  /// Whether it is a gpsd that speaks, as far as is known.
  private var isAnswered = false
  /// What was said of each receiver.
  private var descriptions: [String: String] = [:]
  private var views: [String: View] = [:]
  private var saidThereIsNone = false

  /// The sentences for an update; most have none.
  mutating func sentences(for update: LocationUpdate, at moment: Moment) -> [String] {
    switch update {
    case .state(let change): note(change)
    case .fix: break
    case .retry(let retry):
      let next = retry.retryIn.map { "; retry in \(Text.duration($0))" } ?? ""
      return ["\(retry.error)\(next)"]
    case .report(let event):
      switch event {
      case .service(let service):
        isAnswered = true
        return ["\(service.name) answers"]
      case .receivers(let present):
        defer { saidThereIsNone = present.isEmpty }
        guard present.isEmpty else { return present.compactMap { sentence(on: $0) } }
        return saidThereIsNone ? [] : ["gpsd has no receiver"]
      case .receiver(let receiver): return [sentence(on: receiver)].compactMap(\.self)
      case .removed(let path):
        descriptions[path] = nil
        return ["\(path) was removed"]
      case .refused(let path, let reason): return ["gpsd cannot open \(path): \(reason)"]
      case .sky(let sky): return [sentence(on: sky, at: moment)].compactMap(\.self)
      case .notice(let words): return ["\(isAnswered ? "gpsd" : "something") says: \(words)"]
      case .fix, .noFix: break
      }
    }
    return []
  }

  private mutating func note(_ change: StateChange) {
    guard let device = change.device else {
      if change.state == .noDaemon { isAnswered = false }
      saidThereIsNone = false
      descriptions.removeAll()
      views.removeAll()
      return
    }
    guard views[device] != nil || views.count < Chain.mostReceivers else { return }
    let hadFix = views[device]?.waitsSince == nil
    guard hadFix || change.state.hasFix else { return }
    views[device, default: View()].waitsSince = change.state.hasFix ? nil : change.moment
    views[device]?.told = nil
  }

  /// gpsd repeats what it says of a receiver whenever it has learnt a little more.
  private mutating func sentence(on receiver: Receiver) -> String? {
    let known = descriptions[receiver.path]
    guard known != receiver.words, known != nil || descriptions.count < Chain.mostReceivers
    else { return nil }
    descriptions[receiver.path] = receiver.words
    return "receiver \(receiver.words)"
  }

  private mutating func sentence(on sky: SkyView, at moment: Moment) -> String? {
    guard views[sky.device] != nil || views.count < Chain.mostReceivers else { return nil }
    var view = views[sky.device] ?? View(waitsSince: moment)
    defer { views[sky.device] = view }
    view.reception.note(sky)
    if let told = view.told {
      guard view.waitsSince != nil, told.duration(to: moment) >= Self.interval else { return nil }
    }
    let words = view.reception.words(withStrength: true)
    guard !words.isEmpty else { return nil }
    view.told = moment
    var sentence = words.joined(separator: ", ")
    if let since = view.waitsSince, since.duration(to: moment) >= .seconds(1) {
      sentence = "no fix for \(Text.duration(since.duration(to: moment))): \(sentence)"
    }
    return sky.device.isEmpty ? sentence : "\(sky.device): \(sentence)"
  }
}
