package import LocationCore
import LocationText

/// Describes each link of the chain from gpsd to the satellites as it appears, for `--verbose`.
package struct VerboseLog {
  /// How often satellites are logged while there is no fix.
  private static let satelliteInterval = Duration.seconds(10)

  private struct View {
    /// Since when there has been no fix; `nil` while there is one.
    var waitsSince: Moment?
    /// When satellites were last logged in this state.
    var logged: Moment?
  }

  /// Whether a gpsd has answered on this connection.
  private var isAnswered = false
  /// The last description that was logged for each receiver.
  private var descriptions = ReceiverTable<String>()
  private var views = ReceiverTable<View>()
  private var skies = SkyMemory()
  private var hasLoggedNoReceiver = false

  package init() {}

  /// Returns the sentences for an update. Most updates have none.
  package mutating func sentences(for update: LocationUpdate, at moment: Moment) -> [String] {
    switch update {
    case .state(let change): record(change)
    case .fix, .change: break
    case .retry(let retry):
      let next = retry.retryIn.map { "; retry in \(Text.duration($0))" } ?? ""
      return ["\(retry.error)\(next)"]
    case .event(let event):
      switch event {
      case .service(let service):
        isAnswered = true
        return ["\(service.name) answers"]
      case .receivers(let present):
        defer { hasLoggedNoReceiver = present.isEmpty }
        guard present.isEmpty else { return present.compactMap { sentence(on: $0) } }
        return hasLoggedNoReceiver ? [] : ["gpsd has no receiver"]
      case .receiver(let receiver): return [sentence(on: receiver)].compactMap(\.self)
      case .removed(let path):
        descriptions[path] = nil
        return ["\(path) was removed"]
      case .refused(let path, let reason): return [Text.refusal(of: path, because: reason)]
      case .sky(let sky): return [sentence(on: sky, at: moment)].compactMap(\.self)
      case .notice(let text): return ["\(isAnswered ? "gpsd" : "something") says: \(text)"]
      case .fix, .noFix, .other, .corrections, .disconnected, .selected: break
      }
    }
    return []
  }

  private mutating func record(_ change: StateChange) {
    skies.record(change)
    guard case .receiver(let device) = change.subject else {
      if change.state == .noService { isAnswered = false }
      hasLoggedNoReceiver = false
      descriptions.removeAll()
      views.removeAll()
      return
    }
    var view = views[device] ?? View()
    guard view.waitsSince == nil || change.state.hasFix else { return }
    view.waitsSince = change.state.hasFix ? nil : change.moment
    view.logged = nil
    views[device] = view
  }

  /// Returns `nil` if the description is unchanged: gpsd repeats it whenever it knows more details.
  private mutating func sentence(on receiver: Receiver) -> String? {
    let description = "\(receiver)"
    guard descriptions[receiver.path] != description else { return nil }
    descriptions[receiver.path] = description
    return "receiver \(description)"
  }

  private mutating func sentence(on sky: SkyView, at moment: Moment) -> String? {
    var view = views[sky.device] ?? View(waitsSince: moment)
    defer { views[sky.device] = view }
    skies.record(sky)
    if let logged = view.logged {
      guard view.waitsSince != nil, logged.duration(to: moment) >= Self.satelliteInterval else {
        return nil
      }
    }
    let parts = skies.summary(of: sky.device).parts(withStrength: true)
    guard !parts.isEmpty else { return nil }
    view.logged = moment
    var sentence = parts.joined(separator: ", ")
    if let since = view.waitsSince, since.duration(to: moment) >= .seconds(1) {
      sentence = "no fix for \(Text.duration(since.duration(to: moment))): \(sentence)"
    }
    return sky.device.map { "\($0): \(sentence)" } ?? sentence
  }
}
