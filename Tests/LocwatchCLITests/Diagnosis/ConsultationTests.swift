import Foundation
import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchDoctor
@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite struct ConsultationTests {
  /// What is said of a machine: by the doctor, in one line, as commands, and by a run.
  private func said(
    of updates: [LocationUpdate], failure: LocationError? = nil
  ) throws -> (report: String, commands: [String], messages: [String]) {
    let machine = try SickMachine()
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "messages")
    let said = try Consultation(
      Question(target: .gpsd(GPSDEndpoint(), device: nil)), root: machine.fake.root,
      updates: updates, failure: failure, messages: FilePath(path))
    let messages = try String(contentsOfFile: path, encoding: .utf8)
    return (
      said.report.split(whereSeparator: \.isWhitespace).joined(separator: " "), said.commands,
      messages.split(separator: "\n").map(String.init)
    )
  }

  @Test func `What gpsd reports is judged as after the whole time of a doctor`() throws {
    let silent = try said(of: [.answer, .event(SickMachine.receivers(driver: nil))])
    #expect(silent.report.contains("and gpsd recognised nothing within 16 s"))
    #expect(silent.messages.first == "locwatch: gpsd 3.22 answers")
    #expect(silent.messages.contains("locwatch: no fix: gpsd 3.22 answers, /dev/ttyACM0 is silent"))
    #expect(try said(of: [.answer, .fix(.fix3D)]).report.contains("the receiver has a 3D fix"))
  }

  @Test func `A failure is judged as the last that came`() throws {
    let refused = try said(of: [], failure: SickMachine.refused)
    #expect(refused.report.contains("gpsd localhost:2947: connection refused Start it:"))
    #expect(refused.commands == ["sudo systemctl enable --now gpsd.socket"])
    #expect(refused.messages.contains("locwatch: localhost:2947: connection refused"))
  }
}
