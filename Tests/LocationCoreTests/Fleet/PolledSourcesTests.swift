import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationCore

@Suite(.timeLimit(.minutes(5))) struct `Several polled sources` {
  private let clock = ManualClock()
  private let listener = Listener()

  private func source(_ steps: ScriptedLocationSource.Step...) -> ScriptedLocationSource {
    ScriptedLocationSource(clock: clock, scripts: steps)
  }

  /// What all sources have now, each with the number of its source.
  private func news(of sources: inout PolledSources, _ count: Int = .max) -> [String] {
    if !sources.areReady { sources.gather(at: clock.locationClock.now) }
    var lines: [String] = []
    while lines.count < count, let (news, moment) = sources.next() {
      switch news {
      case .update(let update, let number):
        lines.append("\(number): \(Watch.line(update, at: moment) ?? "event")")
      case .ended(let error, let number):
        lines.append("\(number): \(moment.uptime.inSeconds) ended\(error.map { ", \($0)" } ?? "")")
      }
    }
    return lines
  }

  @Test func `have their turns one after another, a slow reader too`() {
    var sources = PolledSources(hearing: listener)
    sources.add(source(.event(Reports.fix(0)), .event(Reports.fix(1))).updates())
    sources.add(source(.event(Reports.fix(5))).updates())
    let first = [
      "0: 0.0 connecting", "0: 0.0 a connecting > fix-3d", "0: 0.0 a 3d 0.0", "0: 0.0 a 3d 1.0",
    ]
    let second = ["1: 0.0 connecting", "1: 0.0 a connecting > fix-3d", "1: 0.0 a 3d 5.0"]
    #expect(news(of: &sources, 2) == Array(first.prefix(2)))
    #expect(sources.areReady)
    #expect(news(of: &sources) == first.suffix(2) + second)
    #expect(!sources.areReady)
  }

  @Test func `are polled when they are heard, in that order, or at their deadlines`() {
    var sources = PolledSources(hearing: listener)
    let silent = source(.event(Reports.fix(0)))
    let others = (0..<2).map { _ in source() }
    for source in [silent] + others { sources.add(source.updates()) }
    #expect(sources.deadline == Moment(uptimeNanoseconds: .min, wall: nil))
    #expect(news(of: &sources).count == 5)
    #expect(sources.deadline == Reports.moment(65))
    for source in others.reversed() { source.force(Reports.fix(1)) }
    #expect(listener.hasHeard)
    #expect(
      news(of: &sources) == [
        "2: 0.0 a connecting > fix-3d", "2: 0.0 a 3d 1.0", "1: 0.0 a connecting > fix-3d",
        "1: 0.0 a 3d 1.0",
      ])
    #expect(!listener.hasHeard)
    clock.jump(by: .seconds(65))
    #expect(news(of: &sources).first == "0: 65.0 a fix-3d > lost: silence")
    #expect(sources.deadline == nil)
  }

  /// Fault 120.
  @Test func `use the number of a removed one again, each once`() {
    var sources = PolledSources(hearing: listener)
    let updates = source().updates()
    for number in 0..<4 { #expect(sources.add(updates) == number) }
    for number in [2, 0, 2] { sources.remove(number) }
    #expect((0..<4).map { _ in sources.add(updates) } == [0, 2, 4, 5])
  }

  @Test func `say nothing of one that was removed, and all of its successor`() {
    var sources = PolledSources(hearing: listener)
    let old = source(.event(Reports.fix(1)))
    sources.add(old.updates())
    #expect(news(of: &sources, 1) == ["0: 0.0 connecting"])
    sources.remove(0)
    #expect(old.calls.suffix(1) == [.close])
    old.force(Reports.fix(2))
    #expect(news(of: &sources) == [])
    sources.add(source(.event(Reports.fix(7))).updates())
    #expect(
      news(of: &sources)
        == ["0: 0.0 connecting", "0: 0.0 a connecting > fix-3d", "0: 0.0 a 3d 7.0"])
  }

  @Test func `say when one begins, and before what only time has caused`() {
    var sources = PolledSources(hearing: listener)
    let times = Collector<Double>()
    let source = source(
      .event(Reports.fix(0)), .wait(.seconds(1)), .event(Reports.fix(1)))
    sources.add(source.updates(), .init(timePassed: { times.add($0.uptime.inSeconds) }))
    for pause in [0, 1, 6] {
      clock.jump(by: .seconds(pause))
      _ = news(of: &sources)
    }
    // The beginning, and the loss, which was noticed 1 s late.
    #expect(times.values == [0, 7])
  }

  @Test func `say when the link of one fails, before that is read`() {
    var sources = PolledSources(hearing: listener)
    let failures = Collector<String>()
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(Reports.fix(1)), .fail(.gone)], [.fail(.gone)])
    sources.add(
      source.updates(retries: RetryPolicy(delays: [.seconds(1)], jitter: 0)),
      .init(linkFailed: { failures.add("\($0.error?.description ?? "")") }))
    #expect(news(of: &sources, 3).count == 3)
    #expect(failures.values == [])
    #expect(news(of: &sources, 1).last?.hasPrefix("0: 0.0 fix-3d > no-daemon") == true)
    #expect(failures.values == ["gone"])
    #expect(news(of: &sources) == [])
    // A further failure is no change of the link.
    clock.jump(by: .seconds(1))
    #expect(news(of: &sources) == ["0: 1.0 still no-daemon: gone"])
    #expect(failures.values == ["gone"])
  }

  @Test func `end with the error of their last failure, if there was one`() {
    var sources = PolledSources(hearing: listener)
    let ending = [source(.wait(.seconds(1)), .end), source(.wait(.seconds(1)), .fail(.gone))]
    for source in ending { sources.add(source.updates(retries: .never)) }
    _ = news(of: &sources)
    clock.jump(by: .seconds(2))
    #expect(
      news(of: &sources).filter { $0.contains("ended") } == ["0: 2.0 ended", "1: 2.0 ended, gone"])
    for source in ending { #expect(source.calls.suffix(1) == [.close]) }
    #expect(sources.deadline == nil)
  }

  @Test func `close the connections of all, once`() {
    var sources = PolledSources(hearing: listener)
    let open = (0..<3).map { _ in source() }
    for source in open { sources.add(source.updates()) }
    _ = news(of: &sources)
    sources.remove(1)
    sources.close()
    for source in open { #expect(source.calls == [.connect(LocationRequest()), .close]) }
    #expect(news(of: &sources) == [])
  }
}
