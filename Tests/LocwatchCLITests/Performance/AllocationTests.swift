import AllocationCounter
import Testing

@testable import GPSDLocation
@testable import LocationCore
@testable import LocwatchCLI

/// What a report costs in memory, on its way from the bytes of a line to those of a record. Times
/// differ from machine to machine; how often memory is asked for does not.
@Suite(.enabled(if: allocations_of_this_thread() >= 0, "a sanitizer has malloc for itself"))
struct `Allocations of the steady path` {
  private static let rounds = 1000

  @Test(arguments: [OutputFormat.json, .csv(CSVRenderer.defaultColumns), .gpx, .geo])
  func `are none, or those of a build that is not optimised`(format: OutputFormat) throws {
    var options = Options()
    options.format = format
    var path = ReportPath(renderer: options.makeRenderer())
    for second in 0..<100 { path.pass(second: second) }
    let before = allocations_of_this_thread()
    for second in 100..<(100 + Self.rounds) { path.pass(second: second) }
    let count = allocations_of_this_thread() - before
    #expect(path.fixes == 100 + Self.rounds)
    #if DEBUG
      // Without the optimiser each accessor that yields asks for its frame.
      #expect(count <= 60 * 2 * Self.rounds, "\(count) for \(2 * Self.rounds) reports")
    #else
      #expect(count == 0)
    #endif
  }

  @Test func `the counter counts`() {
    let before = allocations_of_this_thread()
    let arrays = (1...10).map { [UInt8](repeating: 1, count: $0 * 100) }
    #expect(allocations_of_this_thread() - before >= 10, "\(arrays.count)")
  }
}

/// Framer, decoder, interpreter, machines and renderer, one behind the other as in the command.
private struct ReportPath {
  private(set) var fixes = 0
  private var framer = LineFramer()
  private var decoder = GPSDDecoder(keepsSatellites: false)
  private var interpreter = GPSDInterpreter(device: nil)
  private var machine = WatchMachine(stale: nil)
  private var output = Output()
  private var renderer: any Renderer
  private var text = TextBuffer()
  private var line: [UInt8] = []

  init(renderer: any Renderer) {
    self.renderer = renderer
    line.reserveCapacity(1024)
  }

  /// Passes the two reports of one second.
  mutating func pass(second: Int) {
    line.removeAll(keepingCapacity: true)
    line += Self.tpvStart
    Timestamp(secondsSince1970: 1_700_000_000 + Int64(second)).appendISO8601(to: &line)
    line += Self.tpvEnd
    line += Self.sky
    framer.append(line)
    let moment = Moment(uptime: .seconds(second))
    while case .line(let line)? = framer.next() {
      let kind = decoder.decode(line.span)
      guard let event = interpreter.event(of: kind, in: &decoder, received: nil) else { continue }
      machine.handle(event, at: moment, into: &output)
    }
    while let (update, _) = output.take() {
      switch update {
      case .fix(let fix):
        fixes += 1
        renderer.fix(fix, into: &text)
      case .state(let change): renderer.state(change, into: &text)
      case .report(.sky(let sky)): renderer.sky(sky, into: &text)
      case .retry, .report: break
      }
    }
    text.removeAll()
  }

  private static let tpvStart = Array(
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":""#.utf8)
  private static let tpvEnd =
    Array(
      #"","lat":48.118633333,"lon":11.517333333,"altHAE":592.3,"altMSL":545.4,"epx":14.1,"epy":20.3,"epv":48.3,"track":84.4,"speed":11.524,"climb":0.02,"eph":24.7}"#
        .utf8) + Array("\r\n".utf8)
  private static let sky =
    Array(
      #"{"class":"SKY","device":"/dev/ttyACM0","hdop":1.3,"vdop":2.1,"pdop":2.5,"satellites":[{"PRN":1,"el":45.0,"az":10.0,"ss":30.5,"used":true},{"PRN":2,"el":5.0,"az":100.0,"ss":20.5,"used":false}]}"#
        .utf8) + Array("\r\n".utf8)
}
