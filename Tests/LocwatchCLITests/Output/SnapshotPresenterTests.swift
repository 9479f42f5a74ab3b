import GPSDProtocol
import Glibc
import LocationCore
import Testing

@testable import GPSDLocation
@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct SnapshotPresenterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func presenter(_ name: String = "a.prom", isReplay: Bool = false) -> SnapshotPresenter {
    presenter(at: folder.path(name), isReplay: isReplay)
  }

  private func presenter(
    at path: FilePath, statistics: RunStatistics = RunStatistics(), isReplay: Bool
  ) -> SnapshotPresenter {
    var presenter = SnapshotPresenter(to: path, statistics: statistics, isReplay: isReplay)
    presenter.add(Options().style(), as: 0)
    return presenter
  }

  private func at(_ milliseconds: Int) -> Moment { Moment(uptime: .milliseconds(milliseconds)) }

  /// How many transitions and positions the page has, or what else it is.
  private var page: String? {
    guard let text = folder.text(of: "a.prom"), text.hasPrefix("# HELP") else {
      return folder.text(of: "a.prom")
    }
    let lines = text.split(separator: "\n")
    func value(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix("\(name){") }?.split(separator: " ").last
    }
    return "states \(value("locwatch_transitions_total") ?? "-") "
      + "fixes \(lines.count { $0.hasPrefix("locwatch_latitude_degrees{") })"
      + (text.contains("locwatch_receiver_state{") ? "" : " over")
  }

  @Test func `the page is there from the beginning, and again at each transition`() throws {
    var presenter = presenter()
    presenter.begin(at: at(0))
    #expect(presenter.hasPending)
    try presenter.flush(at: at(0))
    #expect(page == "states 0 fixes 0")
    #expect(!presenter.hasPending && presenter.nextTick == nil)
    presenter.present(.state(Samples.searching), at: at(1))
    #expect(presenter.hasPending)
    try presenter.flush(at: at(1))
    #expect(page == "states 1 fixes 0")
    presenter.present(.state(Samples.lost), at: at(2))
    try presenter.flush(at: at(2))
    #expect(page == "states 2 fixes 0")
  }

  @Test func `a page has what gpsd has sent until it is written`() throws {
    let statistics = RunStatistics()
    var presenter = presenter(at: folder.path("a.prom"), statistics: statistics, isReplay: false)
    let gpsd = statistics.ofSource(nil)
    for _ in 0..<3 { gpsd.count(.tpv, otherClass: "") }
    gpsd.count(.other, otherClass: "AIS")
    for _ in 0..<2 { gpsd.count(.malformed, otherClass: "") }
    gpsd.count { counts in
      counts.discards = 4
      counts.connections = 5
      counts.discardedBytes = 100
    }
    presenter.begin(at: at(0))
    try presenter.flush(at: at(0))
    let samples = folder.text(of: "a.prom")?.split(separator: "\n").filter {
      $0.contains("_total{")
    }
    #expect(
      samples?.compactMap { $0.split(separator: " ").last } == ["0", "5", "10", "6"])
  }

  @Test func `other changes are written a second after the last page`() throws {
    var presenter = presenter()
    presenter.begin(at: at(0))
    try presenter.flush(at: at(100))
    presenter.present(.fix(Samples.fix), at: at(200))
    presenter.present(.fix(Samples.fix), at: at(300))
    #expect(!presenter.hasPending)
    #expect(presenter.nextTick == at(1100))
    try presenter.flush(at: at(1099))
    #expect(page == "states 0 fixes 0")
    try presenter.flush(at: at(1100))
    #expect(page == "states 0 fixes 1")
    #expect(presenter.nextTick == nil)
    // Without news nothing is written.
    try folder.write("another's", to: "a.prom")
    try presenter.flush(at: at(9000))
    #expect(page == "another's")
  }

  @Test func `the end of a live run is on the page, and the end of a replay is not`() throws {
    var live = presenter()
    live.begin(at: at(0))
    try live.flush(at: at(0))
    live.present(.fix(Samples.fix), at: at(1))
    try live.finish(waitsForReader: true)
    #expect(page == "states 0 fixes 0 over")
    var replay = presenter(isReplay: true)
    replay.begin(at: at(0))
    replay.present(.fix(Samples.fix), at: at(1))
    try replay.finish(waitsForReader: true)
    #expect(page == "states 0 fixes 1")
  }

  @Test func `the page has all sources, and one that replaces another`() throws {
    var presenter = presenter()
    let options = try Options(arguments: ["-f", "prometheus", "-o", "x", "bow=h1", "stern=h2"])
    options.addFleet(to: &presenter)
    presenter.present(.fix(Samples.fix), of: 1, at: at(1))
    try presenter.flush(at: at(1))
    func sources(_ metric: String) -> [Substring] {
      (folder.text(of: "a.prom") ?? "").split(separator: "\n")
        .filter { $0.hasPrefix("\(metric){") }.compactMap {
          $0.split(separator: "\"").dropFirst().first
        }
    }
    #expect(sources("locwatch_up") == ["bow", "stern"])
    #expect(sources("locwatch_latitude_degrees") == ["stern"])
    presenter.add(options.member(options.fleet[1]).style, as: 0)
    #expect(presenter.nextTick == at(1001))
    try presenter.flush(at: at(1001))
    #expect(sources("locwatch_up") == ["stern", "stern"])
    #expect(sources("locwatch_lines_total") == ["stern", "stern"])
  }

  @Test func `a pipe whose reader takes nothing ends a live run`() throws {
    let path = folder.makePipe("a.prom")
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    let writer = open(path, O_WRONLY | O_NONBLOCK)
    defer { for end in [reader, writer] { close(end) } }
    let bytes = [UInt8](repeating: 0x78, count: 4096)
    while write(writer, bytes, bytes.count) > 0 {}
    var presenter = presenter()
    presenter.begin(at: at(0))
    let error = OutputError.cannotWrite(path: path, reason: "its reader does not keep up")
    #expect(throws: error) { try presenter.flush(at: at(0)) }
    #expect(presenter.hasPending)
    #expect(throws: error) { try presenter.finish(waitsForReader: true) }
    #expect(folder.path("a.prom").fileType == S_IFIFO)
  }

  @Test func `an existing file stays if no page was written`() throws {
    // No name is left for the new file.
    let name = "a.prom"
    try folder.write("another's", to: name)
    var path = folder.path
    while path.utf8.count < Int(PATH_MAX) - 9 - name.utf8.count { path += "/." }
    var presenter = presenter(at: "\(path)/\(name)", isReplay: false)
    presenter.begin(at: at(0))
    #expect(throws: OutputError.self) { try presenter.flush(at: at(0)) }
    #expect(throws: OutputError.self) { try presenter.finish(waitsForReader: true) }
    #expect(page == "another's")
  }
}
