import GPSDLocation
import Glibc
import LocationCore
import Testing

@testable import LocationFormats
@testable import LocwatchCLI

@Suite struct SnapshotPresenterTests {
  /// A page that counts what it was told.
  private struct CountingRenderer: Renderer {
    var counts = (states: 0, fixes: 0)

    var trailer: String { "states \(counts.states) fixes \(counts.fixes)" }

    mutating func begin(into output: inout TextBuffer) { output.append(text: "head ") }
    mutating func state(_ change: StateChange, into output: inout TextBuffer) { counts.states += 1 }
    mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) { counts.fixes += 1 }
    mutating func end(into output: inout TextBuffer) { output.append(text: "over") }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func presenter(_ name: String = "a.prom", isReplay: Bool = false) -> SnapshotPresenter {
    SnapshotPresenter(CountingRenderer(), to: folder.path(name), isReplay: isReplay)
  }

  private func at(_ milliseconds: Int) -> Moment { Moment(uptime: .milliseconds(milliseconds)) }

  private var page: String? { folder.text(of: "a.prom") }

  @Test func `the page is there from the beginning, and again at each transition`() throws {
    var presenter = presenter()
    presenter.begin(at: at(0))
    #expect(presenter.hasPending)
    try presenter.flush(at: at(0))
    #expect(page == "head states 0 fixes 0")
    #expect(!presenter.hasPending && presenter.nextTick == nil)
    presenter.present(.state(Samples.searching), at: at(1))
    #expect(presenter.hasPending)
    try presenter.flush(at: at(1))
    #expect(page == "head states 1 fixes 0")
    presenter.present(.state(Samples.lost), at: at(2))
    try presenter.flush(at: at(2))
    #expect(page == "head states 2 fixes 0")
  }

  @Test func `anything else is written a second after the last page`() throws {
    var presenter = presenter()
    presenter.begin(at: at(0))
    try presenter.flush(at: at(100))
    presenter.present(.fix(Samples.fix), at: at(200))
    presenter.present(.fix(Samples.fix), at: at(300))
    #expect(!presenter.hasPending)
    #expect(presenter.nextTick == at(1100))
    try presenter.flush(at: at(1099))
    #expect(page == "head states 0 fixes 0")
    try presenter.flush(at: at(1100))
    #expect(page == "head states 0 fixes 2")
    #expect(presenter.nextTick == nil)
    // Without news nothing is written.
    try folder.write("another's", to: "a.prom")
    try presenter.flush(at: at(9000))
    #expect(page == "another's")
  }

  @Test func `the end of a live run is on the page, and that of a replay is not`() throws {
    var live = presenter()
    live.begin(at: at(0))
    try live.flush(at: at(0))
    live.present(.fix(Samples.fix), at: at(1))
    try live.finish(waitsForReader: true)
    #expect(page == "head over")
    var replay = presenter(isReplay: true)
    replay.begin(at: at(0))
    replay.present(.fix(Samples.fix), at: at(1))
    try replay.finish(waitsForReader: true)
    #expect(page == "head states 0 fixes 1")
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

  @Test func `a page that was never written is no reason to remove what is there`() throws {
    // No name is left for the new file.
    let name = "a.prom"
    try folder.write("another's", to: name)
    var path = folder.path
    while path.utf8.count < Int(PATH_MAX) - 9 - name.utf8.count { path += "/." }
    var presenter = SnapshotPresenter(
      CountingRenderer(), to: "\(path)/\(name)", isReplay: false)
    presenter.begin(at: at(0))
    #expect(throws: OutputError.self) { try presenter.flush(at: at(0)) }
    #expect(throws: OutputError.self) { try presenter.finish(waitsForReader: true) }
    #expect(page == "another's")
  }
}
