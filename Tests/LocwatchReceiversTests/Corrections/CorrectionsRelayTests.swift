import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import LocwatchTestSupport
import TestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// Fault 69.
@Suite(.timeLimit(.minutes(5))) struct `The corrections of a caster` {
  private typealias Scene = CorrectionsScene

  private static let (first, second) = (RTCMFrame.numbered(1), RTCMFrame.numbered(2))
  private static let accepted = "ICY 200 OK\r\n\r\n"
  private static let name = "ntrip://caster.example:2101/NEAR"
  private static let connected = Corrections(.connected, of: name)
  private static let virtualTable =
    "SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;a;b;c;d;e;f;g;1;2;1;0\r\nENDSOURCETABLE\r\n"

  private static func lost(_ reason: String) -> Corrections {
    Corrections(.lost, of: name, reason: reason)
  }

  @Test func `are given to gpsd from the first frame on, which is sent twice`() throws {
    let scene = try Scene()
    try scene.answerTable()
    scene.send(Self.accepted)
    scene.send(Self.first)
    #expect(scene.work() == [Self.connected])
    let gpsd = try scene.connectGPSD()
    scene.work()
    #expect(scene.bytes(of: gpsd) == Self.first + Self.first)
    scene.send(Array(Self.second[..<5]))
    #expect(scene.work() == [])
    #expect(scene.bytes(of: gpsd) == [])
    scene.send(Array(Self.second[5...]))
    scene.work()
    #expect(scene.bytes(of: gpsd) == Self.second)
    #expect(scene.relay.feed.givenCount == 2 && scene.relay.feed.droppedCount == 0)
    // To a gpsd that is started again the first frame is another one.
    let again = try scene.connectGPSD()
    scene.work()
    #expect(gpsd.waitForEnd() && scene.bytes(of: gpsd) == nil)
    scene.send(Self.first)
    scene.work()
    #expect(scene.bytes(of: again) == Self.first + Self.first)
  }

  @Test func `wait until gpsd has recognised the receiver, the latest 64 KiB`() throws {
    let scene = try Scene()
    scene.receiverReports = false
    try scene.answerTable()
    scene.send(Self.accepted)
    let gpsd = try scene.connectGPSD()
    for _ in 0..<70 {
      scene.send(Self.longFrame)
      scene.work()
    }
    #expect(scene.bytes(of: gpsd) == [])
    #expect(scene.relay.feed.droppedCount == 6 && scene.relay.feed.givenCount == 0)
    scene.receiverReports = true
    var count = 0
    for _ in 0..<10 {
      scene.work()
      count += scene.bytes(of: gpsd)?.count ?? 0
    }
    #expect(count == 65 * 1024 && scene.relay.feed.givenCount == 64)
    // What was given does not wait any more.
    for _ in 0..<70 {
      scene.send(Self.longFrame)
      scene.work()
      count += scene.bytes(of: gpsd)?.count ?? 0
    }
    #expect(scene.relay.feed.droppedCount == 6)
  }

  private static let longFrame = RTCMFrame.numbered(3, length: 1018)

  /// Connects a gpsd, and sends it long frames until its socket takes no more.
  private func fillGPSD(of scene: Scene) throws -> Socket {
    try scene.answerTable()
    scene.send(Self.accepted)
    let gpsd = try scene.connectGPSD()
    scene.work()
    for _ in 0..<1000 where scene.relay.feed.droppedCount == 0 {
      scene.send([[UInt8]](repeating: Self.longFrame, count: 30).flatMap(\.self))
      scene.work()
      scene.advance(by: .seconds(1))
    }
    return gpsd
  }

  @Test func `are whole for a gpsd that reads slowly`() throws {
    let scene = try Scene()
    let gpsd = try fillGPSD(of: scene)
    #expect(scene.relay.feed.droppedCount > 0)
    var framer = RTCMFramer()
    var frames: [[UInt8]] = []
    while let bytes = scene.bytes(of: gpsd), !bytes.isEmpty || scene.relay.feed.hasPending {
      frames += framer.add(bytes)
      scene.work()
    }
    #expect(framer.skippedCount == 0 && frames.allSatisfy { $0 == Self.longFrame })
    #expect(frames.count == scene.relay.feed.givenCount + 1)
  }

  @Test func `are whole for the next gpsd where one has left within a frame`() throws {
    let scene = try Scene()
    let gpsd = try fillGPSD(of: scene)
    #expect(scene.bytes(of: gpsd)?.isEmpty == false)
    gpsd.hangUp()
    scene.work()
    #expect(scene.relay.feed.source == nil)
    let next = try scene.connectGPSD()
    scene.work()
    let bytes = try #require(scene.bytes(of: next))
    #expect(bytes.prefix(2 * Self.longFrame.count) == (Self.longFrame + Self.longFrame)[...])
    var framer = RTCMFramer()
    let frames = framer.add(bytes)
    #expect(frames.allSatisfy { $0 == Self.longFrame } && framer.skippedCount == 0)
  }

  /// Fault 118.
  @Test func `are lost where a caster sends more than any has, and asked for after 30 s`() throws {
    let scene = try Scene()
    try scene.answerTable()
    for _ in 0..<2 {
      scene.send(Self.accepted)
      scene.send(Self.first)
      #expect(scene.work() == [Self.connected])
      var told: [Corrections] = []
      for _ in 0..<20 where told.isEmpty && scene.failures.isEmpty {
        scene.send([UInt8](repeating: 0, count: 16 * 1024))
        told += scene.work()
      }
      #expect(scene.failures == ["it sends more than 64 KiB a second"])
      scene.advance(by: .seconds(5))
      told += scene.work()
      #expect(told == [Self.lost("it sends more than 64 KiB a second")])
      #expect(try scene.pause() == .seconds(25))
      scene.work()
      #expect(scene.text(of: scene.casters.last).hasPrefix("GET /NEAR "))
      scene.failures = []
    }
  }

  @Test func `are given to nobody else`() throws {
    let scene = try Scene(isGPSD: false)
    try scene.answerTable()
    scene.send(Self.accepted)
    scene.send(Self.first)
    let stranger = try scene.connectGPSD()
    scene.work()
    #expect(stranger.waitForEnd() && scene.bytes(of: stranger) == nil)
  }

  @Test func `continue when gpsd has gone and returned`() throws {
    let scene = try Scene()
    try scene.answerTable()
    scene.send(Self.accepted)
    let first = try scene.connectGPSD()
    scene.work()
    first.hangUp()
    scene.work()
    #expect(scene.relay.feed.source == nil)
    scene.send(Self.second)
    scene.work()
    let gpsd = try scene.connectGPSD()
    // What gpsd says is not for a caster.
    #expect(gpsd.send("$PUBX\r\n"))
    scene.work()
    #expect(scene.bytes(of: gpsd) == Self.second + Self.second)
    #expect(scene.text(of: scene.casters.last) == "")
  }

  @Test func `are reported as lost when the link has failed for 5 s, and then recover`() throws {
    let scene = try Scene()
    try scene.answerTable()
    scene.send(Self.accepted)
    scene.send(Self.first)
    #expect(scene.work() == [Self.connected])
    scene.hangUp()
    #expect(scene.work() == [] && scene.failures == ["closed by the caster"])
    scene.advance(by: .milliseconds(999))
    scene.work()
    #expect(try scene.host.accept() == nil)
    scene.advance(by: .milliseconds(1))
    // The table is known.
    #expect(try scene.accept().hasPrefix("GET /NEAR "))
    scene.send(Self.accepted)
    scene.send(Self.first)
    #expect(scene.work() == [])
    scene.hangUp()
    scene.host.hangUp()
    scene.work()
    scene.advance(by: .milliseconds(4999))
    #expect(scene.work() == [])
    scene.advance(by: .milliseconds(1))
    #expect(scene.work() == [Self.lost("Connection refused")])
  }

  @Test func `are asked for again after ever longer pauses`() throws {
    let scene = try Scene()
    scene.work()
    _ = try scene.accept()
    for seconds in [1, 2, 4, 8, 16, 30, 30] {
      // The table, and then the corrections.
      scene.hangUp()
      _ = try scene.accept()
      scene.hangUp()
      scene.work()
      #expect(try scene.pause() == .seconds(seconds))
    }
    #expect(Set(scene.failures) == ["closed by the caster"] && scene.failures.count == 7)
    scene.hangUp()
    _ = try scene.accept()
    scene.send(Self.accepted)
    scene.send(Self.first)
    scene.work()
    scene.hangUp()
    scene.work()
    #expect(try scene.pause() == .seconds(1))
  }

  @Test(arguments: [
    ("HTTP/1.1 401 Unauthorized\r\n\r\n", "401 Unauthorized"),
    ("HTTP/1.1 404 Not Found\r\n\r\n", "404 Not Found: no such mount point; did you mean NERA?"),
    (
      "SOURCETABLE 200 OK\r\n\r\nSTR;NEARS;\r\nENDSOURCETABLE\r\n",
      "no such mount point; did you mean NEARS?"
    ),
  ])
  func `are not asked for again for 30 s after a refusal`(answer: String, reason: String) throws {
    let scene = try Scene()
    try scene.answerTable("SOURCETABLE 200 OK\r\n\r\nSTR;NERA;\r\nENDSOURCETABLE\r\n")
    scene.send(answer)
    #expect(scene.work() == [Self.lost(reason)])
    #expect(try scene.pause() == .seconds(30))
    // The mount point may be in the table by now.
    scene.work()
    #expect(scene.text(of: scene.casters.last).hasPrefix("GET / "))
    scene.send(Self.virtualTable)
    #expect(try scene.accept().hasPrefix("GET /NEAR "))
    scene.send(answer)
    #expect(scene.work() == [])
    #expect(try scene.pause() == .seconds(30))
    #expect(scene.failures.count == 2)
  }

  @Test func `are lost after 30 s of silence`() throws {
    let scene = try Scene()
    try scene.answerTable()
    scene.send(Self.accepted)
    scene.work()
    scene.advance(by: .seconds(20))
    scene.send(Self.first)
    #expect(scene.work() == [Self.connected])
    scene.advance(by: .milliseconds(29_999))
    #expect(scene.work() == [])
    scene.advance(by: .milliseconds(1))
    #expect(scene.work() == [Self.lost("silent for 30 s")])
    let caster = try #require(scene.casters.last)
    #expect(caster.waitForEnd() && scene.bytes(of: caster) == nil)
  }

  @Test func `are lost after 30 s of noise, with its length`() throws {
    let scene = try Scene()
    try scene.answerTable()
    scene.send(Self.accepted)
    scene.send(Self.first)
    scene.work()
    scene.advance(by: .seconds(20))
    scene.send("noise")
    #expect(scene.work() == [])
    scene.advance(by: .seconds(10))
    #expect(scene.work() == [Self.lost("no RTCM 3 in 5 bytes, for 30 s")])
    #expect(scene.relay.skippedCount == 5)
  }

  @Test func `have the bytes beside them counted over all connections`() throws {
    let scene = try Scene()
    try scene.answerTable()
    for (noise, count) in [("noise", 5), ("odd", 8), ("", 8)] {
      scene.send(Self.accepted)
      scene.send(Array(noise.utf8) + Self.first)
      scene.work()
      #expect(scene.relay.skippedCount == count)
      scene.hangUp()
      scene.work()
      #expect(scene.relay.skippedCount == count)
      scene.advance(by: .seconds(1))
      #expect(try scene.accept().hasPrefix("GET /NEAR "))
    }
  }

  @Test func `are asked for although there is no table`() throws {
    for answer in ["HTTP/1.1 404 Not Found\r\n\r\n", Self.accepted, "SSH\r\n"] {
      let scene = try Scene()
      #expect(try scene.accept().hasPrefix("GET / "))
      scene.send(answer)
      #expect(try scene.accept().hasPrefix("GET /NEAR "))
      #expect(scene.failures == [])
    }
    let silent = try Scene()
    #expect(try silent.accept().hasPrefix("GET / "))
    silent.advance(by: .milliseconds(4999))
    silent.work()
    #expect(try silent.host.accept() == nil)
    silent.advance(by: .milliseconds(1))
    #expect(try silent.accept().hasPrefix("GET /NEAR "))
    #expect(silent.failures == [])
  }

  @Test func `come from the first address that answers, or none`() throws {
    // Nobody listens there.
    let closed = try Socket(AF_UNIX)
    let bad = try closed.bindToLocalAddress()
    var addresses = [bad]
    let scene = try Scene { () throws(LocationError) in addresses }
    addresses.append(scene.address)
    #expect(try scene.accept().hasPrefix("GET / "))
    addresses = [bad]
    let other = try Scene { () throws(LocationError) in addresses }
    #expect(other.work() == [Self.lost("Connection refused")])
    // Not even a table is asked for.
    #expect(other.failures == ["Connection refused"])
    // As without a free descriptor, no socket can be made.
    let strange = try #require(HostAddress { address, _ in address.pointee.sa_family = 255 })
    let socketless = try Scene { () throws(LocationError) in [strange] }
    #expect(socketless.work() == [Self.lost(systemText(EAFNOSUPPORT))])
    #expect(socketless.failures == [systemText(EAFNOSUPPORT)])
    let unknown = try Scene { () throws(LocationError) in
      throw LocationError(.unknownHost, "unknown")
    }
    #expect(unknown.work() == [Self.lost("unknown")])
    withExtendedLifetime(closed) {}
  }

  @Test func `are asked for every 4 s at a host that cannot be reached`() throws {
    let closed = try Socket(AF_UNIX)
    var address = try closed.bindToLocalAddress()
    let scene = try Scene { () throws(LocationError) in [address] }
    scene.work()
    for _ in 0..<600 {
      scene.advance(by: .milliseconds(100))
      scene.work()
    }
    // After 1, 3, 7 s and so on.
    #expect(scene.failures == Array(repeating: "Connection refused", count: 17))
    address = scene.address
    #expect(try scene.pause() == .seconds(3))
    withExtendedLifetime(closed) {}
  }

  @Test func `are lost when the name of the host is unknown after the table has come`() throws {
    var isKnown = true
    var address: HostAddress?
    let scene = try Scene { () throws(LocationError) in
      guard isKnown, let address else { throw LocationError(.unknownHost, "unknown") }
      return [address]
    }
    address = scene.address
    #expect(try scene.accept().hasPrefix("GET / "))
    isKnown = false
    scene.send(Scene.table)
    #expect(scene.work() == [Self.lost("unknown")])
    #expect(scene.failures == ["unknown"])
    isKnown = true
    #expect(try scene.pause() == .seconds(1))
    scene.work()
    #expect(scene.text(of: scene.casters.last).hasPrefix("GET /NEAR "))
  }

  @Test func `are given up at an address that does not answer, after 3 s`() throws {
    let silent = try SilentHost()
    let scene = try Scene { () throws(LocationError) in [silent.address] }
    #expect(scene.work() == [])
    scene.advance(by: .milliseconds(2999))
    #expect(scene.work() == [])
    scene.advance(by: .milliseconds(1))
    #expect(scene.work() == [Self.lost("Connection timed out")])
    withExtendedLifetime(silent) {}
  }

  // MARK: The position

  @Test func `need the position, which is sent every 10 s`() throws {
    let scene = try Scene()
    try scene.answerTable(Self.virtualTable)
    scene.position = "$GPGGA\r\n"
    scene.work()
    // Not before the caster agrees.
    #expect(scene.text(of: scene.casters.last) == "")
    scene.position = nil
    scene.send(Self.accepted)
    scene.work()
    #expect(scene.text(of: scene.casters.last) == "")
    scene.position = "$GPGGA\r\n"
    scene.work()
    #expect(scene.text(of: scene.casters.last) == "$GPGGA\r\n")
    scene.advance(by: .milliseconds(9999))
    scene.work()
    #expect(scene.text(of: scene.casters.last) == "")
    scene.advance(by: .milliseconds(1))
    scene.work()
    #expect(scene.text(of: scene.casters.last) == "$GPGGA\r\n")
    // To the next connection it is sent at once.
    scene.hangUp()
    scene.work()
    scene.advance(by: .seconds(1))
    #expect(try scene.accept().hasPrefix("GET /NEAR "))
    scene.send(Self.accepted)
    scene.work()
    #expect(scene.text(of: scene.casters.last) == "$GPGGA\r\n")
    #expect(scene.positionReasons == ["its table asks for it"])
  }

  private static let noTable = "HTTP/1.1 404 Not Found\r\n\r\n"
  private static let position = "$GPGGA\r\n"
  private static let silence = "it has sent no corrections for 10 s"

  /// A scene with the position, whose caster has answered like this when it was asked for its table, and has agreed to
  /// send corrections.
  private static func accepting(_ table: String, position: String? = position) throws -> Scene {
    let scene = try Scene()
    scene.position = position
    try scene.answerTable(table)
    scene.send(accepted)
    scene.work()
    return scene
  }

  /// What the caster has got.
  private static func text(from scene: Scene, after duration: Duration = .zero) -> String {
    scene.advance(by: duration)
    scene.work()
    return scene.text(of: scene.casters.last)
  }

  /// Ends the connection of a caster without a table, and has it agree on the next one.
  private static func reconnect(_ scene: Scene) throws {
    scene.hangUp()
    scene.work()
    scene.advance(by: .seconds(1))
    try scene.answerTable(noTable)
    scene.send(accepted)
  }

  @Test(arguments: [
    noTable, "SOURCETABLE 200 OK\r\n\r\nSTR;FAR;a;b;c;d;e;f;g;1;2;0;0\r\nENDSOURCETABLE\r\n",
  ])
  func `need the position if the mount point is in no table and silent for 10 s`(
    table: String
  ) throws {
    let scene = try Self.accepting(table)
    let due = scene.clock.locationClock.now.advanced(by: .seconds(10))
    #expect(scene.relay.deadline(hasPosition: true) == due)
    #expect(scene.relay.deadline(hasPosition: false) == due.advanced(by: .seconds(20)))
    #expect(Self.text(from: scene, after: .milliseconds(9900)) == "")
    #expect(scene.positionReasons == [])
    #expect(Self.text(from: scene, after: .milliseconds(100)) == Self.position)
    #expect(scene.positionReasons == [Self.silence])
    scene.send(Self.first)
    #expect(scene.work() == [Self.connected])
    #expect(Self.text(from: scene, after: .milliseconds(9999)) == "")
    #expect(Self.text(from: scene, after: .milliseconds(1)) == Self.position)
    // The next connections are given the position at once, even if a frame comes with the answer.
    for frame in [Self.first, []] {
      try Self.reconnect(scene)
      scene.send(frame)
      #expect(Self.text(from: scene) == Self.position)
    }
    #expect(scene.positionReasons == [Self.silence])
  }

  @Test func `do not need the position if they come without it within 10 s`() throws {
    let scene = try Self.accepting(Self.noTable)
    scene.advance(by: .milliseconds(9999))
    scene.send(Self.first)
    scene.advance(by: .milliseconds(1))
    #expect(Self.text(from: scene) == "")
    #expect(Self.text(from: scene, after: .seconds(29)) == "")
    // Silence means something else from now on.
    try Self.reconnect(scene)
    #expect(Self.text(from: scene, after: .seconds(29)) == "")
    #expect(scene.positionReasons == [])
  }

  @Test func `need the position again only after 10 s if it did not help`() throws {
    let scene = try Self.accepting(Self.noTable)
    #expect(Self.text(from: scene, after: .seconds(10)) == Self.position)
    scene.advance(by: .seconds(20))
    scene.work()
    #expect(scene.failures == ["silent for 30 s"])
    try Self.reconnect(scene)
    #expect(Self.text(from: scene, after: .milliseconds(9900)) == "")
    #expect(Self.text(from: scene, after: .milliseconds(100)) == Self.position)
    #expect(scene.positionReasons == [Self.silence])
  }

  @Test func `get the position as soon as it is known`() throws {
    let scene = try Self.accepting(Self.noTable, position: nil)
    #expect(Self.text(from: scene, after: .seconds(15)) == "")
    scene.position = Self.position
    #expect(Self.text(from: scene) == Self.position)
  }

  @Test func `do not get the position before the caster agrees`() throws {
    let scene = try Scene()
    scene.position = Self.position
    try scene.answerTable(Self.noTable)
    #expect(Self.text(from: scene, after: .seconds(20)) == "")
    scene.send(Self.accepted)
    #expect(Self.text(from: scene) == Self.position)
  }

  @Test(arguments: ["0", "", "2"])
  func `never need the position if the mount point's entry in the table does not ask for it`(
    entry: String
  ) throws {
    let table =
      "SOURCETABLE 200 OK\r\n\r\nSTR;NEAR;a;b;c;d;e;f;g;1;2;\(entry);0\r\nENDSOURCETABLE\r\n"
    let scene = try Self.accepting(table)
    for _ in 0..<2 {
      #expect(Self.text(from: scene, after: .milliseconds(29_999)) == "")
      scene.advance(by: .milliseconds(1))
      scene.work()
      #expect(try scene.pause() > .zero)
      #expect(Self.text(from: scene).hasPrefix("GET /NEAR "))
      scene.send(Self.accepted)
    }
    #expect(scene.positionReasons == [])
  }
}
