// What the machine shows of its serial ports.
extension Machine {
  /// Whether this is a Raspberry Pi.
  package var isRaspberryPi: Bool {
    text(of: "/proc/device-tree/model")?.hasPrefix("Raspberry Pi") == true
  }

  /// The file from which a Raspberry Pi takes the command line of its kernel; `nil` if there is none.
  package var commandLine: ShellText? {
    let files: [ShellText] = ["/boot/firmware/cmdline.txt", "/boot/cmdline.txt"]
    return files.first { isFile($0.text) }
  }

  /// The file in which a Raspberry Pi's hardware is configured; `nil` if there is none.
  package var bootConfiguration: ShellText? {
    let files: [ShellText] = ["/boot/firmware/config.txt", "/boot/config.txt"]
    return files.first { isFile($0.text) }
  }

  /// The devices to which the kernel writes its messages, each with its argument, such as
  /// `console=ttyS0,115200`.
  package var consoles: [(path: String, text: String)] {
    (text(of: "/proc/cmdline") ?? "").split { $0.isWhitespace }.compactMap { argument in
      guard argument.hasPrefix("console=") else { return nil }
      let name = argument.dropFirst("console=".count).prefix { $0 != "," }
      return ("/dev/\(name)", String(argument))
    }
  }

  /// Returns the process that waits for a login on a serial port; `nil` if there is none.
  ///
  /// - Parameter name: The name of the port in /dev.
  package func login(on name: String) -> Process? {
    guard let number = number(ofTerminal: name) else { return nil }
    return processes.first { process in
      ["agetty", "login"].contains(process.name) && terminal(ofProcess: process.id) == number
    }
  }

  /// Returns the number of the terminal that controls a process.
  private func terminal(ofProcess id: Int32) -> UInt64? {
    fields(ofProcess: "\(id)").flatMap { $0.count > 4 ? UInt64($0[4]) : nil }
  }

  /// Returns the number of a terminal as in /proc/PID/stat; `nil` if the kernel does not show it.
  private func number(ofTerminal name: String) -> UInt64? {
    guard let number = number(ofDevice: name, class: "tty"), number.major < 1 << 12,
      number.minor < 1 << 20
    else { return nil }
    return number.minor & 0xff | number.major << 8 | (number.minor & ~0xff) << 12
  }

  /// Returns what udev knows of a serial device, such as `ID_VENDOR_ID`.
  package func udevProperties(of path: String) -> [String: String] {
    guard let number = number(ofDevice: path.dropFirst("/dev/".count), class: "tty"),
      let text = text(of: "/run/udev/data/c\(number.major):\(number.minor)")
    else { return [:] }
    var properties: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("E:") {
      let parts = line.dropFirst(2).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
    }
    return properties
  }
}

extension Machine.SerialPort {
  /// The path that stays the same, whatever else is plugged in.
  package var stablePath: String { name.map { "/dev/serial/by-id/\($0)" } ?? path }

  /// The path for a command, if possible one that stays the same; `nil` for anything but a serial device.
  package func path(on machine: Machine) -> SerialPath? {
    SerialPath(stablePath, on: machine) ?? SerialPath(path, on: machine)
  }
}
