import Foundation
import GPSDLocation
import Glibc
import LocationCore
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

@Suite struct ControlSocketTests {
  /// A folder for sockets' folders, and what is in it.
  private final class Folder {
    let path = "/tmp/locwatch-\(UUID().uuidString.prefix(8))"

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
  }

  /// Takes a connection as gpsd does: reads to its end, and answers.
  private func serve(_ listener: Socket, answer: String) -> String {
    let connection = accept(listener.descriptor, nil, nil)
    defer { close(connection) }
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 64)
    while case let count = read(connection, &bytes, bytes.count), count > 0 {
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    _ = write(connection, answer, answer.utf8.count)
    // A process that another test is starting has a copy of it until it runs its program.
    shutdown(connection, CInt(SHUT_RDWR))
    return text
  }

  @Test func `Its file is gone, but commands still reach the listener`() throws {
    let folder = try Folder()
    let listener = try Socket(AF_UNIX)
    let control = try ControlSocket(for: listener, in: folder.path)
    #expect(folder.contents == [])
    let first = try #require(control.send(.remove, "/dev/ttyACM0"))
    #expect(ControlSocket.Answer(from: first) == nil)
    #expect(serve(listener, answer: "OK\n") == "-/dev/ttyACM0\r\n")
    #expect(ControlSocket.Answer(from: first) == .done)
    let second = try #require(control.send(.add, "/dev/ttyACM0"))
    #expect(serve(listener, answer: "ERROR\n") == "+/dev/ttyACM0\r\n")
    #expect(ControlSocket.Answer(from: second) == .refused)
  }

  @Test(arguments: [
    ("OK\n", ControlSocket.Answer.done), ("ERROR\n", .refused),
    ("{\"class\":\"ACK\"}\r\n", .done), ("{\"class\":\"ERROR\"}\r\n", .refused), ("", .failed),
    ("WHAT\n", .failed),
  ])
  func `It understands the answers of each release`(text: String, answer: ControlSocket.Answer) {
    #expect(ControlSocket.Answer(Array(text.utf8)) == answer)
  }

  @Test func `A peer that does not accept is not waited for`() throws {
    let folder = try Folder()
    let listener = try Socket(AF_UNIX)
    let control = try ControlSocket(for: listener, in: folder.path)
    let sent = (0..<100).map { _ in control.send(.add, "/dev/ttyACM0") }
    #expect(sent.contains { $0 == nil })
  }

  @Test func `A folder that takes nothing is an error`() {
    #expect(throws: (any Error).self) {
      try ControlSocket(for: Socket(AF_UNIX), in: "/proc")
    }
  }

  @Test func `A missing answer is a failure`() throws {
    let folder = try Folder()
    let listener = try Socket(AF_UNIX)
    let control = try ControlSocket(for: listener, in: folder.path)
    let exchange = try #require(control.send(.add, "/dev/ttyACM0"))
    _ = serve(listener, answer: "")
    #expect(ControlSocket.Answer(from: exchange) == .failed)
  }

  @Test(arguments: [(107, true), (108, false)])
  func `A path of a socket has at most 107 bytes`(count: Int, fits: Bool) throws {
    let folder = try Folder()
    let path = folder.path + "/" + String(repeating: "x", count: count - folder.path.count - 1)
    let socket = try Socket(AF_UNIX)
    if fits {
      try socket.bind(to: path)
      #expect(!(try Socket(AF_UNIX).connect(to: path)))
      try socket.listen()
    } else {
      #expect(throws: LocationError.system(ENAMETOOLONG)) { try socket.bind(to: path) }
    }
    #expect(try Socket(AF_UNIX).connect(to: path) == fits)
    withExtendedLifetime((folder, socket)) {}
  }

  @Test func `A folder with too long a path leaves nothing behind`() throws {
    let folder = try Folder()
    let deep = folder.path + "/" + String(repeating: "x", count: 100)
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: false)
    #expect(throws: LocationError.system(ENAMETOOLONG)) {
      try ControlSocket(for: Socket(AF_UNIX), in: deep)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: deep) == [])
  }

  @Test func `Commands can be sent where there is /proc`() {
    #expect(ControlSocket.isAvailable)
  }

  @Test(arguments: [
    ("/dev/serial/by-id/usb-u-blox-if00", true),
    ("/dev/" + String(repeating: "x", count: 122), true),
    ("/dev/" + String(repeating: "x", count: 123), false), ("/dev/my gps", false),
    ("/dev/gps\n+/dev/x", false), ("/dev/gerät", false),
    ("/dev/!~", true), ("/dev/\u{7f}", false),
  ])
  func `It takes the paths that gpsd reads whole`(path: String, isTaken: Bool) {
    #expect(ControlSocket.takes(path) == isTaken)
  }

  @Test func `A port of the loopback interface is listened at as soon as it is known`() throws {
    let (socket, port) = try Socket.listeningOnLoopback()
    #expect(port > 0)
    let (other, otherPort) = try Socket.listeningOnLoopback()
    #expect(otherPort != port)
    withExtendedLifetime((socket, other)) {}
  }
}
