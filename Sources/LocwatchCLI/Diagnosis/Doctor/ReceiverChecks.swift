import LocationCore
import LocationFormats

// What can be wrong with a receiver that gpsd has.
extension Check {
  static let receiver = Check(
    "receiver",
    "gpsd cannot open the receiver, or the receiver is silent.", from: .receiver
  ) { examination in
    guard let conversation = examination.conversation else { return nil }
    let receivers = conversation.receivers ?? []
    if conversation.reach >= .reports {
      let names = conversation.reporting.map { path in
        let receiver = receivers.first { isSamePath($0.path, path) }
        let details = [
          receiver?.driver, receiver?.bitsPerSecond.flatMap { $0 > 0 ? "\($0) bps" : nil },
        ].compactMap(\.self)
        let name = path.isEmpty ? "the receiver" : path
        return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
      }
      return .well("\(Text.list(names)) \(names.count == 1 ? "reports" : "report")")
    }
    let names = Text.list(receivers.prefix(4).map(\.path))
    guard receivers.contains(where: \.isActive) else {
      return .wrong(
        "gpsd cannot open \(names)", "Its journal may say why:",
        run: examination.usesSystemd ? ["journalctl -u gpsd -n 20"] : [])
    }
    // Another check speaks of those that gpsd does not recognise.
    guard receivers.contains(where: { $0.isActive && $0.driver != nil }) else { return nil }
    return .wrong(
      "\(names) is open, and was silent for \(conversation.length)", Hint.silentReceiver)
  }

  static let speed = Check(
    "speed",
    "gpsd reads the receiver's bytes at another speed than they are sent, or none come: it recognises nothing "
      + "within 15 seconds.",
    from: .receiver
  ) { examination in
    guard let conversation = examination.conversation, conversation.reach == .receiver,
      let receiver = conversation.receivers?.first(where: { $0.isActive && $0.driver == nil }),
      !(conversation.receivers ?? []).contains(where: { $0.driver != nil })
    else { return nil }
    let speed = receiver.bitsPerSecond.flatMap { $0 > 0 ? " at \($0) bps" : nil } ?? ""
    let seen =
      "gpsd opened \(receiver.path)\(speed), and recognised nothing within \(conversation.length)"
    guard conversation.duration >= .seconds(15) else {
      return .unknown("\(seen), which is too short to know")
    }
    guard let fixed = examination.arguments?.values["s"] else {
      return .wrong(
        seen,
        "gpsd tries all usual speeds: does the receiver have power, and does its TX lead to the RX of this "
          + "machine?")
    }
    return .wrong(
      "\(seen), because -s \(fixed) keeps it from trying others", "Let it try:",
      run: examination.machine.flatMap { machine in
        examination.settings?.commands(removing: "s", on: machine)
      } ?? [])
  }

  static let binary = Check(
    "binary",
    "gpsd switched the receiver to its binary protocol, and another program that reads the device gets no "
      + "NMEA.",
    from: .receiver
  ) { examination in
    guard let machine = examination.machine, let conversation = examination.conversation,
      let receiver = conversation.receivers?.first(where: { $0.speaksBinary }),
      let arguments = examination.arguments
    else { return nil }
    if arguments.options.contains("b") {
      return .well("gpsd leaves the protocol of \(receiver.path) alone (-b)")
    }
    let readers = DeviceHolders(of: receiver.path, on: machine).clients
    guard !readers.isEmpty else { return nil }
    return .wrong(
      "gpsd switched \(receiver.path) to the binary protocol of \(receiver.driver ?? "its maker"), and "
        + "\(Text.list(readers.map(\.description))) cannot read that",
      "Have the other program read gpsd, or start gpsd with -b, and plug the receiver in again:",
      run: examination.settings?.commands(adding: "-b", on: machine) ?? [])
  }
}

extension Receiver {
  /// Whether gpsd talks to the receiver in a protocol that is not NMEA.
  fileprivate var speaksBinary: Bool {
    ["u-blox", "SiRF"].contains { driver?.hasPrefix($0) == true }
  }
}

extension Conversation {
  /// How long it lasted, as text.
  var length: String { Text.duration(.seconds(max(duration.components.seconds, 0))) }
}
