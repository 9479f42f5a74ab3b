import Testing

@testable import LocationCore

@Suite(.timeLimit(.minutes(5))) struct `A reader of a hub` {
  private func notice(_ number: Int) -> LocationUpdate { .event(.notice("\(number)")) }

  /// The next update as text, or the end.
  private func next(of reader: HubReader) throws -> String {
    switch try reader.poll(at: Reports.moment(9)) {
    case .received((let update, let moment)): "\(moment.uptime.inSeconds) \(update)"
    case .quiet(let moment): "\(moment.uptime.inSeconds) quiet"
    case .ended: "ended"
    }
  }

  @Test(arguments: [(1023, 0), (1024, 0), (1025, 1), (3000, 1976)])
  func `has the last 1,024 unread updates, and counts the others`(
    count: Int, dropped: Int
  ) throws {
    let reader = HubReader()
    for number in 0..<count { reader.add(notice(number), at: Reports.moment(Double(number))) }
    #expect(reader.droppedCount == dropped)
    for number in dropped..<count {
      #expect(try next(of: reader) == "\(Double(number)) \(notice(number))")
    }
    #expect(try next(of: reader) == "9.0 quiet")
  }

  @Test func `has the error of the hub's end once, after what is unread`() throws {
    let reader = HubReader()
    reader.add(notice(1), at: Reports.moment(1))
    reader.finish(.gone)
    #expect(try next(of: reader) == "1.0 \(notice(1))")
    #expect(throws: LocationError.gone) { try next(of: reader) }
    #expect(try next(of: reader) == "ended")
  }

  @Test func `rings for each update and for the end`() {
    let (reader, listener) = (HubReader(), Listener())
    for bring in [{ reader.add(notice(1), at: Reports.moment(1)) }, { reader.finish(nil) }] {
      reader.wait().arrival?.tell(listener, as: 0)
      #expect(!listener.hasHeard)
      bring()
      #expect(listener.hasHeard)
      listener.clear()
    }
  }
}
