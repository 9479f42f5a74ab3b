import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// The records and the recording of a run, of which one or both fail at the end.
@Suite struct WatchOutputTests {
  private struct Records: Presenter {
    var failure: OutputError?
    /// Whether each end waited for the reader.
    let ends = Collector<Bool>()

    var status: OutputStatus { OutputStatus() }
    func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {}
    func flush(at now: Moment) {}

    func finish(waitsForReader: Bool) throws(OutputError) {
      ends.add(waitsForReader)
      if let failure { throw failure }
    }
  }

  @Test func `Both are finished, and the end fails with either`() throws {
    for isClosed in [true, false] {
      let pipe = try PipeEnds()
      let records = Records(failure: isClosed ? nil : .closed)
      var output = SharedOutput(presenter: records, recorder: Recorder(pipe.descriptor))
      output.recorder?.recordTime(Moment(uptime: .zero), of: "a")
      if isClosed { pipe.closeReader() }
      #expect(throws: OutputError.closed) { try output.finish(waitsForReader: true) }
      #expect(records.ends.values == [true])
      #expect(isClosed || !pipe.readAll().isEmpty)
    }
  }

  @Test func `That the recording lacks its end is said even if the reader of the records is gone`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/days"
    let recorder = Recorder(try RecordingFolder(FilePath(path), rotation: .daily)) { _ in }
    #expect(rmdir(path) == 0)
    try folder.write("a file", to: "days")
    let records = Records(failure: .closed)
    var output = SharedOutput(presenter: records, recorder: recorder)
    let moment = Moment(uptime: .seconds(1), wall: Samples.time(0, 0))
    recorder.keep(GPSDLines(bytes: Array("a\r\n".utf8)[...], received: moment))
    #expect(throws: OutputError.cannotCreate(path: path, reason: "Not a directory")) {
      try output.finish(waitsForReader: true)
    }
    #expect(records.ends.values == [true])
  }
}
