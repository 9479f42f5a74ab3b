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
    presenter.add(Options().style, as: 0)
    return presenter
  }

  private func at(_ milliseconds: Int) -> Moment { Moment(uptime: .milliseconds(milliseconds)) }

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
    #expect(folder.text(of: name) == "another's")
  }
}
