import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocwatchServer
import LocwatchSystem

extension Run {
  /// Returns the socket at which browsers connect, and says where that is; `nil` if nothing is served.
  func listenForBrowsers() throws(Failure) -> Socket? {
    guard let address = options.serve else { return nil }
    let host = HostAddress.known(of: address)?.first
    do throws(LocationError) {
      guard let host else { throw .system(EADDRNOTAVAIL) }
      let socket = try Socket.listening(at: host)
      let own = socket.address ?? host
      log.advise("page at http://\(own.isUnspecified ? "\(Self.hostname):\(own.port)" : "\(own)")/")
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
    var style = TerminalStyle(options.terminal, environment: environment, isTerminal: false)
    style.units = options.reportUnits
    return style
  }

  /// Serves a page until the task is cancelled.
  func serve(_ page: LivePage) -> Task<Void, Never>? {
    guard let listener else { return nil }
    let names = RequestGuard(computer: Self.hostname, others: options.serveNames)
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
