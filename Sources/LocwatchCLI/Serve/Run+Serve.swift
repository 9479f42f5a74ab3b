import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocwatchServer
import LocwatchSystem

/// Where a run serves its page, and by which names.
struct ServingPlan: Sendable {
  let address: NetworkAddress
  /// More names of this machine.
  let names: [String]

  /// Returns a socket that listens there, and says so.
  func listen(log: Log) throws(Failure) -> Socket {
    let host = HostAddress.known(of: address)?.first
    do throws(LocationError) {
      guard let host else { throw .system(EADDRNOTAVAIL) }
      let socket = try Socket.listening(at: host)
      let own = socket.address ?? host
      log.advise("page at http://\(own.isUnspecified ? "\(Run.hostname):\(own.port)" : "\(own)")/")
      if !own.isLoopback {
        let place = own.isUnspecified ? "this machine" : "\(own)"
        log.advise("anyone who can reach \(place) can read the position")
      }
      return socket
    } catch {
      let failure = OutputError.cannotCreate(
        path: "the page at \(host.map { "\($0)" } ?? address.host)", reason: error.detail)
      throw Failure(failure.exitStatus, "\(failure)")
    }
  }
}

extension Run {
  /// Returns what is served of the run; `nil` for nothing.
  ///
  /// - Parameter clock: The clock of all sources.
  func makePage(_ report: RunReport?, by clock: LocationClock) -> LivePage? {
    guard let report, listener != nil else { return nil }
    return LivePage(
      report, statistics: statistics, style: pageStyle, clock: clock, on: loop,
      startThread: startThread ?? BlockingThread.start)
  }

  /// How the page writes positions. It has the units of its report, not those that the environment has for terminals.
  var pageStyle: TerminalStyle {
    var style = TerminalStyle(plan.terminal, environment: environment, isTerminal: false)
    if let units = plan.report?.units { style.units = units }
    return style
  }

  /// Serves a page until the task is cancelled.
  func serve(_ page: LivePage) -> Task<Void, Never>? {
    guard let listener, let serving = plan.serving else { return nil }
    let names = RequestGuard(computer: Self.hostname, others: serving.names)
    return Task(executorPreference: loop) { [loop] in
      var server = PageServer(at: listener, for: names, content: page, clock: loop.clock)
      while !Task.isCancelled {
        server.turn()
        _ = await page.point.wait(for: server.sources, until: server.deadline)
        // After a pause of the process, requests have come while fixes became old.
        await loop.settle()
      }
    }
  }

  fileprivate static var hostname: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
