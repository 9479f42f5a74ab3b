import LocationCore
import LocationText
import LocwatchReceivers
import LocwatchSystem

// The checks of a receiver that gpsd has.
extension Check {
  private static let refusals = [
    "network", "sentences", "replug", "port", "uart", "permissions", "apparmor", "console",
    "sharing",
  ]

  static let receiver = Check(
    "receiver",
    "gpsd cannot open the receiver, or the receiver is silent.", from: .closedReceiver,
    unless: refusals,
    wait: { listening in
      listening.wait { receiver, reception in
        guard reception == nil, receiver.otherData == nil,
          let since = listening.conversation.standing(of: receiver)
        else { return nil }
        // gpsd tries again after 2 s.
        guard receiver.isActive else { return Wait(from: since, for: .seconds(3)) }
        guard receiver.driver != nil else { return nil }
        return Wait(from: since, for: max(.seconds(5), (receiver.cycle ?? .zero) * 3))
      }
    },
    each: { examination in
      examination.findings { receiver, reception in
        let name = receiver.path.isEmpty ? "the receiver" : receiver.path
        if reception != nil {
          let details = [
            receiver.driver, receiver.bitsPerSecond.flatMap { $0 > 0 ? "\($0) bps" : nil },
          ].compactMap(\.self)
          let text = details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
          return .well("\(text) reports")
        }
        let isRecognised = examination.conversation?.isRecognised(receiver) == true
        if isRecognised, !receiver.isActive, !examination.isPrivate {
          let driver = receiver.driver.map { " (\($0))" } ?? ""
          return .wrong(
            "gpsd had \(name) open\(driver), and does not read it any more",
            Hint.lostReceiver, run: examination.restart)
        }
        guard receiver.isActive else {
          return .wrong(
            "gpsd cannot open \(name)",
            examination.usesSystemd ? "Its journal may say why:" : Hint.otherUser,
            run: examination.usesSystemd ? ["journalctl -u gpsd -n 20"] : nil)
        }
        // Another check reports receivers that gpsd does not recognise.
        guard isRecognised else { return nil }
        if let driver = receiver.driver, let sent = receiver.otherData {
          let seen = "\(name) sends \(sent) (\(driver))"
          let hasReceiver = examination.receivers.contains { $0.receiver.otherData == nil }
          return hasReceiver ? .well(seen) : .wrong("\(seen), but no position", Hint.otherDevice)
        }
        // gpsd has recognised the receiver's data, even if some time ago.
        if let driver = receiver.driver, examination.isPrivate,
          examination.conversation?.hasReported != true
        {
          return .wrong(
            "\(name) sends something (\(driver)), but no position, time or satellites",
            "Is it a GPS receiver, and is it set to report positions?")
        }
        return .wrong(
          "\(name) is open, but was silent\(examination.length("for"))",
          Hint.silentReceiver(ofPrivate: examination.isPrivate))
      }
    })

  static let speed = Check(
    "speed",
    "gpsd recognises nothing within 15 seconds: the speed is wrong, or no bytes arrive.",
    from: .closedReceiver, unless: refusals,
    wait: { listening in
      listening.wait { receiver, reception in
        guard reception == nil, receiver.isActive, receiver.driver == nil, listening.link == nil,
          let since = listening.conversation.standing(of: receiver)
        else { return nil }
        return Wait(
          from: since, for: receiver.recognition,
          receiver.hasSpeed ? "gpsd tries the speeds of \(receiver.path)" : nil)
      }
    },
    each: { examination in
      examination.findings { receiver, reception in
        guard reception == nil, receiver.isActive, examination.link == nil,
          examination.conversation?.isRecognised(receiver) == false
        else { return nil }
        let speed = receiver.bitsPerSecond.flatMap { $0 > 0 ? " at \($0) bps" : nil } ?? ""
        let verb = examination.isPrivate ? "was opened" : "is open"
        let seen =
          "\(receiver.path) \(verb)\(speed), but gpsd recognised nothing\(examination.length("within"))"
        if let duration = examination.conversation?.duration,
          duration < receiver.recognition - .seconds(1)
        {
          return .unknown("\(seen), which is too short to judge")
        }
        guard let fixed = examination.arguments?.values["s"], !examination.isPrivate else {
          return .wrong(
            seen,
            receiver.hasSpeed
              ? "gpsd tries all usual speeds: does the receiver have power, and is its TX connected to this machine's RX?"
              : Hint.silentReceiver(ofPrivate: examination.isPrivate))
        }
        return .wrong(
          "\(seen), because -s \(fixed) keeps it from trying others", "Let it try:",
          run: examination.commands(removing: "s"))
      }
    })

  static let binary = Check(
    "binary",
    "gpsd switched the receiver to a binary protocol, so other readers get no NMEA.",
    from: .closedReceiver
  ) { examination in
    guard let machine = examination.machine, !examination.isPrivate,
      let receiver = examination.receivers.first(where: { $0.receiver.speaksBinary })?.receiver,
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
      run: examination.commands(adding: "-b"))
  }
}

extension Receiver {
  /// Whether a wrong speed of the line would keep gpsd from reading the device. On USB, that of a CDC device has no
  /// meaning.
  fileprivate var hasSpeed: Bool {
    !["/dev/ttyACM", "/dev/pts/"].contains { path.hasPrefix($0) }
  }

  /// How long gpsd may take to recognise what a device sends: it tries the speeds of a line for 15 s.
  fileprivate var recognition: Duration { .seconds(hasSpeed ? 16 : 6) }

  /// Whether gpsd talks to the receiver in a protocol that is not NMEA.
  fileprivate var speaksBinary: Bool {
    ["u-blox", "SiRF"].contains { driver?.hasPrefix($0) == true }
  }
}

extension Examination {
  /// Returns how long the doctor listened to gpsd, as text after a preposition; empty for a run.
  func length(_ preposition: String) -> String {
    guard let seconds = conversation?.duration?.components.seconds else { return "" }
    return " \(preposition) \(Text.duration(.seconds(max(seconds, 0))))"
  }
}
