import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Synchronization

/// The gpsds of a session. Each sends its lines at their moments to whoever is connected, and answers commands.
struct PlayedGPSDs: Sendable {
  /// The lines of each host; those without a name are of all others.
  private let hosts: [String: [TimedLine]]

  init(_ session: Session) {
    let gpsds = session.inputs.filter { $0.kind == .gpsd }
    hosts = Dictionary(
      gpsds.map { ($0.name, $0.lines.flatMap(TimedLine.read).inOrder) }, uniquingKeysWith: { $1 })
  }

  /// Returns a session with whichever of them it is opened to.
  func session(on loop: EventLoop) -> any GPSDSession { Connection(self, on: loop) }

  /// What a gpsd does instead of sending something.
  private enum Act: String {
    case hangUp = "hang up"
    /// It greets nobody from now on, and answers nothing.
    case mute
    /// Nobody can connect from now on.
    case stop
    case listen
  }

  fileprivate final class Connection: GPSDSession {
    fileprivate struct State {
      /// What is still to come.
      var lines: ArraySlice<TimedLine>
      var answers: [String] = []
      var devices: String
      /// Whether it was asked for pulses.
      var sendsPulses = false
      /// When it begins to be mute, in milliseconds.
      private let silence: Int
      /// The last TPV of each receiver.
      var positions: [Substring: String] = [:]

      /// Before the lines list its receivers, a gpsd has those of their reports.
      init(of lines: [TimedLine]) {
        self.lines = lines[...]
        silence = lines.first { $0.text == Act.mute.rawValue }?.moment ?? .max
        let paths = Set(lines.compactMap { ShortReport.device(of: $0.text) })
        devices = ShortReport.devices(paths.isEmpty ? ["/dev/a"] : paths.sorted())
      }
    }

    private let gpsds: PlayedGPSDs
    private let clock: LocationClock
    private let state = Mutex(State(of: []))

    init(_ gpsds: PlayedGPSDs, on loop: EventLoop) {
      self.gpsds = gpsds
      clock = loop.clock
    }

    private var moment: Int { Int(clock.now.uptimeNanoseconds / 1_000_000) }

    func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
      let (lines, now) = (gpsds.hosts[endpoint.host] ?? gpsds.hosts[""], moment)
      let past = lines?.filter { $0.moment ?? 0 <= now } ?? []
      let listening = past.compactMap { Act(rawValue: $0.text) }.last {
        $0 == .stop || $0 == .listen
      }
      guard let lines, listening != .stop else {
        throw LocationError(
          .unreachable, systemError: .errno(ECONNREFUSED),
          "\(endpoint): no gpsd accepts connections there")
      }
      var new = State(of: lines)
      new.lines = lines.filter { $0.moment ?? 0 >= now }[...]
      if new.answers(at: now) { new.answers = [ShortReport.version] }
      for line in past where line.moment ?? 0 < now || line.text.isDevices { new.record(line.text) }
      state.withLock { [new] in $0 = new }
    }

    func send(_ command: GPSDCommand) {
      let now = moment
      state.withLock { $0.answer("\(command)", at: now) }
    }

    func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
      let moment = Int(now.uptimeNanoseconds / 1_000_000)
      let taken: Result<[String], LocationError> = state.withLock { state in
        var texts = state.answers
        state.answers = []
        while let line = state.lines.first, line.moment ?? 0 <= moment {
          switch Act(rawValue: line.text) {
          case .listen, .mute: break
          case nil where line.text.isPulse && !state.sendsPulses: break
          case nil: texts.append(line.text)
          case .hangUp, .stop:
            // What was sent before is read first.
            guard texts.isEmpty else { return .success(texts) }
            state.lines.removeFirst()
            return .failure(LocationError(.disconnected, "closed by gpsd"))
          }
          state.record(line.text)
          state.lines.removeFirst()
        }
        return .success(texts)
      }
      let texts = try taken.get()
      guard !texts.isEmpty else { return .quiet(at: now) }
      let bytes = Array(texts.map { $0 + "\r\n" }.joined().utf8)
      return .received(GPSDLines(bytes: bytes[...], received: now))
    }

    func wait() -> Wait {
      let next = state.withLock { state in
        state.answers.isEmpty ? state.lines.first?.moment : 0
      }
      return Wait(until: next.map { Moment(uptime: .milliseconds($0)) })
    }

    func close() {}
  }
}

extension PlayedGPSDs.Connection.State {
  /// Records what the answers to later commands contain.
  fileprivate mutating func record(_ line: String) {
    if line.isDevices { devices = line }
    guard line.hasPrefix(#"{"class":"TPV""#) else { return }
    positions[ShortReport.device(of: line) ?? ""] = line
  }

  func answers(at moment: Int) -> Bool { moment < silence }

  fileprivate mutating func answer(_ command: String, at moment: Int) {
    guard answers(at: moment) else { return }
    if command.hasPrefix("?WATCH") {
      sendsPulses = command.contains(#""pps":true"#)
      let device = ShortReport.device(of: command)
      if let device, !devices.contains("\"\(device)\"") {
        answers.append(#"{"class":"ERROR","message":"No such device as \#(device)"}"#)
      } else {
        answers += [devices, ShortReport.watch(device)]
      }
    } else if command.hasPrefix("?DEVICES") {
      answers.append(devices)
    } else if command.hasPrefix("?VERSION") {
      answers.append(ShortReport.version)
    } else if command.hasPrefix("?POLL") {
      let reports = positions.sorted { $0.key < $1.key }.map(\.value).joined(separator: ",")
      answers.append(
        #"{"class":"POLL","time":"\#(TimedLine.time(moment))","active":\#(positions.count),"#
          + #""tpv":[\#(reports)],"sky":[]}"#)
    }
  }
}

extension String {
  fileprivate var isDevices: Bool { hasPrefix(#"{"class":"DEVICES""#) }
  fileprivate var isPulse: Bool { hasPrefix(#"{"class":"PPS""#) }
}
