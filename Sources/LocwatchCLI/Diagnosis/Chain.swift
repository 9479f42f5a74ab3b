import LocationCore

/// What is known of the chain from gpsd to the satellites since the connection was made.
struct Chain {
  /// More receivers than a person would read of.
  private static let mostNamed = 4
  /// More receivers than a gpsd has.
  static let mostReceivers = 64

  private var service: String?
  private var receivers: [Receiver]?
  private var reporting: [String] = []
  /// The receiver that gpsd had, and has no more.
  private(set) var removed: String?
  private var reception = Reception()
  /// The best fix there was, by its mode and then by its accuracy in metres.
  private(set) var best: (mode: FixMode, accuracy: Double?)?

  /// The links of the chain, as far as it goes.
  enum Reach: Comparable { case nothing, service, closedReceiver, receiver, reports, fix }

  var reach: Reach {
    if best != nil { return .fix }
    if !reporting.isEmpty { return .reports }
    if let receivers, !receivers.isEmpty {
      return receivers.contains(where: \.isActive) ? .receiver : .closedReceiver
    }
    return service == nil && receivers == nil ? .nothing : .service
  }

  /// Whether the service has said that it has no receiver, or has none any more.
  var hasNoReceiver: Bool { reach == .service && (receivers != nil || removed != nil) }

  mutating func note(_ event: LocationEvent) {
    switch event {
    case .service(let service): self.service = service.name
    case .receivers(let present):
      let known = (receivers ?? []).map(\.path) + reporting
      for path in known where !path.isEmpty && !present.contains(where: { $0.path == path }) {
        noteRemoval(of: path)
      }
      receivers = present
    case .receiver(let receiver): note(receiver)
    case .removed(let path): noteRemoval(of: path)
    case .sky(let sky): reception.note(sky)
    case .fix, .noFix, .refused, .notice: break
    }
  }

  private mutating func note(_ receiver: Receiver) {
    // Names that change for ever are not to grow it.
    receivers = (receivers ?? []).filter { $0.path != receiver.path }.suffix(Self.mostReceivers - 1)
    receivers?.append(receiver)
  }

  mutating func noteRemoval(of path: String) {
    removed = path
    receivers?.removeAll { $0.path == path }
    noteSilence(of: path)
  }

  /// A receiver reports no more: what is known of fixes and satellites is known of the others alone.
  mutating func noteSilence(of path: String) {
    reporting.removeAll { $0 == path }
    best = nil
    if reporting.isEmpty { reception = Reception() }
  }

  /// A receiver reports, and has no position any more.
  mutating func noteLoss(of path: String) {
    noteReport(of: path)
    best = nil
  }

  mutating func note(_ fix: LocationFix) {
    noteReport(of: fix.device)
    let accuracy = fix.accuracy
    guard let best else {
      best = (fix.mode, accuracy)
      return
    }
    let isMoreAccurate = (accuracy ?? .infinity) < (best.accuracy ?? .infinity)
    if (best.mode, 0) < (fix.mode, isMoreAccurate ? 1 : 0) { self.best = (fix.mode, accuracy) }
  }

  mutating func noteReport(of device: String) {
    guard reporting.count < Self.mostNamed, !reporting.contains(device) else { return }
    reporting.append(device)
    // There may be no list of receivers, and this one may fall silent.
    if receivers?.contains(where: { $0.path == device }) != true { note(Receiver(path: device)) }
  }

  /// `gpsd 3.22 answers, /dev/ttyACM0 reports, 2 satellites seen, 0 used`
  var words: String {
    var words = ["\(service ?? "gpsd") answers"]
    switch reach {
    case .nothing: return "no answer yet"
    case .service: words.append(removed.map { "\($0) is gone" } ?? "it has no receiver")
    case .closedReceiver, .receiver:
      for receiver in receivers?.prefix(Self.mostNamed) ?? [] {
        let name = receiver.path.isEmpty ? "the receiver" : receiver.path
        words.append("\(name) \(receiver.isActive ? "is silent" : "is not open")")
      }
    case .reports, .fix:
      let names = reporting.map { $0.isEmpty ? "the receiver" : $0 }
      words.append(names.joined(separator: ", ") + (names.count > 1 ? " report" : " reports"))
      words += reception.words(withStrength: false)
    }
    return words.joined(separator: ", ")
  }
}
