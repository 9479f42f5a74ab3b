import EventLoop
import LocationCore
import LocationSamples
import LocationTestKit
import LocwatchTestSupport
import Synchronization
import Testing

@testable import LocwatchCLI
@testable import LocwatchServer
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct `What a run serves` {
  private let clock = ManualClock()
  private let report: RunReport
  private let page: LivePage

  init() throws {
    let options = try Options(arguments: ["--serve", "0"])
    report = try #require(RunReport(options, clock: clock.locationClock))
    page = LivePage(
      report, statistics: RunStatistics(), style: TerminalStyle(), clock: clock.locationClock,
      on: try #require(EventLoop()))
    page.add(Options().style, as: 0)
  }

  private var now: Moment { clock.locationClock.now }

  private func record(_ updates: LocationUpdate..., of source: Int = 0) {
    for update in updates { page.record(update, of: source, at: now) }
  }

  private func state(
    _ state: LocationState, _ device: String? = "/dev/a", loss: LossReason? = nil,
    lastFix: LocationFix? = nil
  ) -> LocationUpdate {
    .state(
      StateChange(
        state, of: device.map { .receiver($0) } ?? .link, loss: loss, lastFix: lastFix, at: now))
  }

  private func fix(
    _ latitude: Double = 48.5, _ device: String? = "/dev/a", isCurrent: Bool = true
  ) -> LocationUpdate {
    var fix = Samples.position(latitude, 11, .fix3D)
    fix.device = device
    fix.time = Samples.time(0, 0)
    fix.isCurrent = isCurrent
    return .fix(fix)
  }

  private func document(_ path: String) -> String {
    guard case .document(_, let bytes) = page.answer(to: path, at: now) else { return "none" }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func beginning(_ path: String) -> String {
    guard case .stream(_, let bytes) = page.answer(to: path, at: now) else { return "none" }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func news(for stream: ServedStream) -> String {
    String(decoding: page.takeNews(for: stream, at: now), as: UTF8.self)
  }

  /// The types of records, with the latitude of a fix and the name of a state.
  private func kinds(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      func value(_ key: String) -> Substring? {
        line.firstRange(of: "\"\(key)\":").map {
          line[$0.upperBound...].prefix { $0 != "," && $0 != "}" }
        }
      }
      let names = [line.hasPrefix("data: ") ? "data" : nil, value("state"), value("lat")]
      return names.compactMap { $0.map { $0.replacing("\"", with: "") } }.joined(separator: " ")
    }
  }

  @Test func `has no record once it is restarted`() {
    record(state(.fix3D), fix(48.5))
    page.restart()
    #expect(document("/fix") == "")
    page.add(Options().style, as: 0)
    record(state(.searching))
    #expect(kinds(document("/fix")) == ["searching"])
  }

  @Test func `begins records with the current states`() {
    record(state(.fix3D), fix(48.5), fix(48.75))
    #expect(kinds(beginning("/events")) == ["data fix-3d", "data 48.75"])
    #expect(beginning("/events").hasSuffix("}\n\n") && !beginning("/events").contains("\n\n\n"))
    #expect(news(for: .records) == "")
    // Nobody reads yet, so this is no news.
    record(fix(49))
    #expect(news(for: .records) == "")
    page.setReaders(of: [.records])
    record(fix(49.25), state(.lost, loss: .noFix))
    record(.event(.notice("x")))
    #expect(kinds(news(for: .records)) == ["data 49.25", "data lost"])
    #expect(news(for: .records) == "")
  }

  /// The server then cuts off who is behind.
  @Test func `keeps little more than 64 KiB for readers`() {
    page.setReaders(of: [.records])
    for _ in 0..<2000 { record(fix()) }
    let count = page.takeNews(for: .records, at: now).count
    #expect(count > PageServer.maximumBehind && count < PageServer.maximumBehind * 2)
    record(fix(49.5))
    #expect(kinds(news(for: .records)) == ["data 49.5"])
  }

  @Test func `sends a head at most twice a second, at each state, and each second without news`() {
    page.setReaders(of: [.head])
    #expect(page.deadline.map { $0 < now } == true)
    #expect(news(for: .head).hasPrefix("data: <section id=\"live\"><p id=\"state\""))
    #expect(news(for: .head) == "")
    #expect(page.deadline == now.advanced(by: .seconds(1)))
    record(fix())
    #expect(page.deadline == now.advanced(by: .milliseconds(500)))
    clock.jump(by: .milliseconds(499))
    #expect(news(for: .head) == "")
    clock.jump(by: .milliseconds(1))
    #expect(news(for: .head) != "")
    record(state(.fix3D))
    #expect(news(for: .head).contains(">3D fix<"))
    clock.jump(by: .milliseconds(999))
    #expect(news(for: .head) == "")
    clock.jump(by: .milliseconds(1))
    #expect(news(for: .head) != "")
    page.setReaders(of: [.records])
    #expect(page.deadline == nil)
  }

  private var head: String { beginning("/live") }

  @Test func `shows a current position, its age and its sky`() {
    record(state(.fix3D), fix(48.5), .sky(of: "/dev/a", seen: 3, used: 2, strengths: [40]))
    clock.jump(by: .milliseconds(1500))
    #expect(head.hasPrefix("retry: 1000\n\ndata: <section id=\"live\">"))
    #expect(head.contains("aria-live=\"polite\">3D fix</p>"))
    #expect(
      head.contains(
        "<p class=\"place\"><a rel=\"noreferrer\" href=\"https://www.openstreetmap.org/"))
    #expect(head.contains(">48.500000 11.000000</a>"))
    #expect(head.contains("<span>, 1.5 s ago</span>"))
    #expect(head.contains("<th>State</th><td><span>fix-3d for 1.5 s</span></td>"))
    #expect(head.contains("<svg class=\"sky\""))
    #expect(!head.contains("<h2>"))
    // Only a change of state is announced.
    #expect(head.components(of: "aria-live") == 1)
  }

  @Test func `makes the page on a thread, and makes it again after a second`() async {
    record(state(.fix3D), fix(48.5))
    #expect(page.answer(to: "/", at: now) == .later)
    #expect(await comes { document("/") != "none" })
    let first = document("/")
    #expect(first.contains("<noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>"))
    #expect(first.contains("<script src=\"/page.js\" defer></script>"))
    #expect(
      first.contains("<body><section id=\"live\">") && first.contains(">48.500000 11.000000</a>"))
    #expect(!first.contains("Content-Security-Policy"))
    record(fix(49))
    clock.jump(by: .milliseconds(999))
    #expect(document("/") == first)
    clock.jump(by: .milliseconds(1))
    #expect(page.answer(to: "/", at: now) == .later)
    #expect(await comes { document("/").contains(">49.000000 11.000000</a>") })
  }

  @Test func `makes one page for all who ask until it is made, and tries again without a thread`()
    throws
  {
    let threads = Mutex<(isPossible: Bool, bodies: [@Sendable () -> Void])>((false, []))
    let page = LivePage(
      report, statistics: RunStatistics(), style: TerminalStyle(), clock: clock.locationClock,
      on: try #require(EventLoop())
    ) { body in
      threads.withLock {
        $0.bodies.append(body)
        return $0.isPossible
      }
    }
    for count in [1, 2, 3, 3] {
      threads.withLock { $0.isPossible = count == 3 }
      #expect(page.answer(to: "/", at: now) == .later)
      #expect(threads.withLock(\.bodies.count) == count)
    }
    threads.withLock(\.bodies)[2]()
    #expect(page.answer(to: "/", at: now) != .later)
    #expect(threads.withLock(\.bodies.count) == 3)
  }

  /// As after a pause of the process, in which a page that nobody has seen becomes old.
  @Test(arguments: [(29_999, false), (30_000, true)])
  func `makes the page again if all who asked for it have gone`(
    milliseconds: Int, isMadeAgain: Bool
  ) throws {
    let bodies = Collector<@Sendable () -> Void>()
    let page = LivePage(
      report, statistics: RunStatistics(), style: TerminalStyle(), clock: clock.locationClock,
      on: try #require(EventLoop())
    ) { body in
      bodies.add(body)
      return true
    }
    #expect(page.answer(to: "/", at: now) == .later)
    bodies.values[0]()
    clock.jump(by: .milliseconds(milliseconds))
    #expect((page.answer(to: "/", at: now) == .later) == isMadeAgain)
    #expect(bodies.values.count == (isMadeAgain ? 2 : 1))
    bodies.values.last?()
    #expect(page.answer(to: "/", at: now) != .later)
  }

  /// The numbers of the receiver in a page that is made now.
  private func numbers(_ names: String...) async -> [String?] {
    clock.jump(by: .seconds(1))
    #expect(page.answer(to: "/", at: now) == .later)
    #expect(await comes { document("/") != "none" })
    let text = document("/")
    return names.map { name in
      text.firstRange(of: "<th scope=\"row\">\(name)</th><td>").map {
        String(text[$0.upperBound...].prefix { $0 != "<" })
      }
    }
  }

  @Test func `begins its report when the page is first opened, in each pass of a replay`() async {
    var part = report.part(nil)
    func receive(_ updates: LocationUpdate...) {
      for update in updates {
        part.add(update, at: now)
        page.record(update, of: 0, at: now)
      }
    }
    receive(state(.fix3D), fix(48.5))
    clock.jump(by: .seconds(60))
    receive(fix(48.75))
    var seen = await numbers("observed", "fixes")
    #expect(seen == ["0\u{a0}s", "0"])
    receive(fix(49))
    seen = await numbers("observed", "fixes", "with a fix")
    #expect(seen == ["1\u{a0}s", "1", "100.0\u{a0}%"])
    report.restart()
    page.restart()
    page.add(Options().style, as: 0)
    part = report.part(nil)
    receive(state(.fix3D), fix(48.75), fix(49))
    seen = await numbers("observed", "fixes", "with a fix")
    #expect(seen == ["1\u{a0}s", "2", "100.0\u{a0}%"])
  }

  @Test
  func `begins a report at the time of the last fix, whether or not somebody has asked for it`()
    throws
  {
    var source = ServedSource(Options().style, RunStatistics())
    source.record(state(.fix3D), at: now)
    source.record(fix(), at: now)
    let moment = now.advanced(by: .seconds(60))
    let updates = source.updates(at: moment)
    guard case .state(let change)? = updates.first, updates.count == 1 else {
      Issue.record("\(updates)")
      return
    }
    #expect(change.state == .fix3D && change.moment == moment)
    #expect(change.time == Samples.time(0, 0).later(by: .seconds(60)))
  }

  @Test func `has a script and a style, and nothing else`() {
    #expect(document("/page.js").contains("'use strict'"))
    #expect(document("/page.css").contains(".cut"))
    for path in ["", "/x", "/fix/", "//", "/page.js/..", "/index.html", "/favicon.ico"] {
      #expect(page.answer(to: path, at: now) == .none)
    }
    #expect(page.policy.contains("script-src 'self'; style-src 'self' 'sha256-"))
    #expect(!page.policy.contains("unsafe"))
  }
}

extension String {
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
