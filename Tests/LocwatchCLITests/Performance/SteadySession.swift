import GPSDLocation
import LocationCore
import Synchronization

/// A live gpsd that has said everything at once: a fix and a view of the sky for each second.
final class SteadySession: GPSDSession {
  private let lines: [GPSDLine]
  private let next = Mutex(0)

  init(seconds: Int) {
    lines = (0..<seconds).flatMap { second in
      let moment = Moment.start.advanced(by: .seconds(second))
      return [Self.tpv(second), Self.sky].map { line in
        GPSDLine(bytes: Array("\(line)\r\n".utf8)[...], received: moment)
      }
    }
  }

  var clock: LocationClock { LocationClock(now: { .start }, sleepUntil: { _ in }) }

  func open(_ endpoint: GPSDEndpoint) {}

  func send(_ command: GPSDCommand) {}

  func read(until deadline: Moment?) -> GPSDRead { readBuffered() ?? .ended }

  func readBuffered() -> GPSDRead? {
    next.withLock { next in
      guard next < lines.count else { return nil }
      defer { next += 1 }
      return .line(lines[next])
    }
  }

  func close() {}

  private static func tpv(_ second: Int) -> String {
    var time: [UInt8] = []
    Timestamp(secondsSince1970: 1_700_000_000 + Int64(second)).appendISO8601(to: &time)
    return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":""#
      + String(decoding: time, as: UTF8.self)
      + #"","lat":48.118633333,"lon":11.517333333,"altHAE":592.3,"altMSL":545.4,"epx":14.1,"#
      + #""epy":20.3,"epv":48.3,"track":84.4,"speed":11.524,"climb":0.02,"eph":24.7}"#
  }

  private static let sky =
    #"{"class":"SKY","device":"/dev/ttyACM0","hdop":1.3,"vdop":2.1,"pdop":2.5,"satellites":["#
    + #"{"PRN":1,"el":45.0,"az":10.0,"ss":30.5,"used":true},"#
    + #"{"PRN":2,"el":5.0,"az":100.0,"ss":20.5,"used":false}]}"#
}
