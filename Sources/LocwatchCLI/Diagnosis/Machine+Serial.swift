// What the machine shows of its serial ports.
extension Machine {
  /// Whether this is a Raspberry Pi.
  var isRaspberryPi: Bool {
    text(of: "/proc/device-tree/model")?.hasPrefix("Raspberry Pi") == true
  }

  /// The file from which a Raspberry Pi takes the command line of its kernel; `nil` if there is none.
  var commandLine: String? {
    ["/boot/firmware/cmdline.txt", "/boot/cmdline.txt"].first(where: isFile)
  }

  /// The file in which a Raspberry Pi's hardware is configured; `nil` if there is none.
  var bootConfiguration: String? {
    ["/boot/firmware/config.txt", "/boot/config.txt"].first(where: isFile)
  }

  /// The devices to which the kernel writes its messages, each with its argument, such as
  /// `console=ttyS0,115200`.
  var consoles: [(path: String, text: String)] {
    (text(of: "/proc/cmdline") ?? "").split { $0.isWhitespace }.compactMap { argument in
      guard argument.hasPrefix("console=") else { return nil }
      let name = argument.dropFirst("console=".count).prefix { $0 != "," }
      return ("/dev/\(name)", String(argument))
    }
  }

  /// Returns the process that waits for a login on a serial port; `nil` if there is none.
  ///
  /// - Parameter name: The name of the port in /dev.
  func login(on name: String) -> Process? {
    guard let number = number(ofTerminal: name) else { return nil }
    return processes.first { process in
      ["agetty", "login"].contains(process.name) && terminal(ofProcess: process.id) == number
    }
  }

  /// Returns the number of the terminal that controls a process.
  private func terminal(ofProcess id: Int32) -> Int? {
    // The name of the program, in parentheses, may contain anything.
    guard let stat = text(of: "/proc/\(id)/stat"), let end = stat.lastIndex(of: ")") else {
      return nil
    }
    let fields = stat[end...].dropFirst().split(separator: " ")
    return fields.count > 4 ? Int(fields[4]) : nil
  }

  /// Returns the number of a terminal as in /proc/PID/stat; `nil` if the kernel does not show it.
  private func number(ofTerminal name: String) -> Int? {
    guard let number = deviceNumber(of: name) else { return nil }
    let parts = number.split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2, (0..<1 << 12).contains(parts[0]), (0..<1 << 20).contains(parts[1])
    else { return nil }
    return parts[1] & 0xff | parts[0] << 8 | (parts[1] & ~0xff) << 12
  }

  /// Returns the number of a terminal, such as `188:0`; `nil` if the kernel does not show it.
  private func deviceNumber(of name: String) -> String? {
    text(of: "/sys/class/tty/\(name)/dev").map { String($0.prefix { !$0.isNewline }) }
  }

  /// Returns what udev knows of a serial device, such as `ID_VENDOR_ID`.
  func udevProperties(of path: String) -> [String: String] {
    guard let number = deviceNumber(of: String(path.dropFirst("/dev/".count))),
      let text = text(of: "/run/udev/data/c\(number)")
    else { return [:] }
    var properties: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("E:") {
      let parts = line.dropFirst(2).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
    }
    return properties
  }
}
