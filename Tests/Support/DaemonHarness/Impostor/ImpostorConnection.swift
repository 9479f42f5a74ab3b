import Glibc

/// Plays a script to one client, on one thread that reads while it waits for whatever it waits for.
struct ImpostorConnection: ~Copyable {
  private let socket: OwnedDescriptor
  private let client: ImpostorClient
  private var commandsMet = 0

  init(_ socket: OwnedDescriptor, _ client: ImpostorClient) {
    self.socket = socket
    self.client = client
    var isOn: CInt = 1
    setsockopt(
      socket.number, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
  }

  deinit { client.end() }

  /// Returns when the script is over, the client has hung up, or the impostor is closed.
  consuming func play(_ script: [ImpostorStep]) {
    for step in script where !isOver {
      switch step {
      case .sendBytes(let bytes):
        send(bytes)
      case .trickle(let bytes, let interval):
        for byte in bytes where !isOver {
          send([byte])
          pause(interval)
        }
      case .generate(let next):
        var index = 0
        while !isOver, let bytes = next(index) {
          send(bytes)
          index += 1
        }
      case .expect(let part):
        expect(part)
      case .pause(let duration):
        pause(duration)
      case .wait(let gate):
        takeIn { gate.isOpen }
      case .open(let gate):
        gate.open()
      case .hold:
        takeIn { false }
      case .close:
        return endStream()
      case .reset:
        // Closed with time to linger, and none of it left: that is a reset.
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          socket.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        return
      }
    }
    endStream()
  }

  private var isOver: Bool { client.hasHungUp || client.isToBeClosed }

  private func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, !isOver {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count > 0 { rest = rest.dropFirst(count) }
      if count < 0, errno != EAGAIN, errno != EINTR { return client.hangUp() }
      takeInOnce(events: rest.isEmpty ? 0 : POLLOUT, milliseconds: rest.isEmpty ? 0 : 10)
    }
  }

  /// Hangs up so that the client sees the end of the stream, and all that was sent before it: to
  /// close a socket with something unread is a reset.
  private func endStream() {
    shutdown(socket.number, CInt(SHUT_WR))
    let deadline = ContinuousClock.now + .seconds(1)
    while !client.hasHungUp, ContinuousClock.now < deadline {
      takeInOnce(events: 0, milliseconds: 10)
    }
  }

  private mutating func expect(_ part: String) {
    var met = commandsMet
    takeIn { [client] in
      guard let index = client.commands.dropFirst(met).firstIndex(where: { $0.contains(part) })
      else { return false }
      met = index + 1
      return true
    }
    commandsMet = met
  }

  private func pause(_ duration: Duration) {
    let deadline = ContinuousClock.now + duration
    takeIn { ContinuousClock.now >= deadline }
  }

  private func takeIn(until condition: () -> Bool) {
    while !isOver, !condition() { takeInOnce(events: 0, milliseconds: 2) }
  }

  private func takeInOnce(events: CInt, milliseconds: CInt) {
    var request = pollfd(
      fd: socket.number, events: Int16(POLLIN | events), revents: 0)
    guard poll(&request, 1, milliseconds) > 0, request.revents & Int16(~POLLOUT) != 0 else {
      return
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket.number, &buffer, buffer.count, 0)
    if count > 0 { client.receive(buffer[..<count]) }
    let isToBeTriedAgain = count < 0 && (errno == EAGAIN || errno == EINTR)
    if count <= 0, !isToBeTriedAgain { client.hangUp() }
  }
}
