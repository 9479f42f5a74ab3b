package import Glibc
import LocationText

/// Something that locwatch has looked up on this machine, and that a shell takes for what it is.
package protocol LookedUp: Sendable {
  var shellText: String { get }
}

/// A local serial device, by a path that only root can redirect.
package struct SerialPath: LookedUp, Equatable {
  /// Folders in which only root makes links to devices.
  private static let folders = ["/dev", "/dev/serial/by-id", "/dev/serial/by-path"]
  /// The kernel's classes of devices that a receiver can have.
  private static let classes = ["tty", "gnss"]

  package let shellText: String
  /// The name of the device in /dev, without links.
  package let name: Name

  package struct Name: LookedUp, Equatable {
    package let shellText: String

    fileprivate init(_ name: String) { shellText = name }
  }

  /// `nil` for anything else than a serial device: other files and devices, the console, and pseudo-terminals,
  /// which belong to somebody who is logged in.
  ///
  /// - Parameter isNamedByUser: Whether the user of this process has named the device, which may then be a
  ///   pseudo-terminal.
  package init?(_ path: String, on machine: Machine, isNamedByUser: Bool = false) {
    guard path.isPlainInShell, let slash = path.lastIndex(of: "/"),
      let real = machine.realPath(of: path), real.isPlainInShell, real.hasPrefix("/dev/")
    else { return nil }
    let name = String(real.dropFirst("/dev/".count))
    if isNamedByUser, name.hasPrefix("pts/"), UInt32(name.dropFirst("pts/".count)) != nil {
      shellText = real
    } else {
      guard Self.folders.contains(String(path[..<slash])), !name.contains("/"),
        let (kind, number) = machine.kind(ofDevice: real), Self.classes.contains(kind),
        !number.isOfConsole
      else { return nil }
      shellText = path
    }
    self.name = Name(name)
  }
}

/// A process other than this one that has a serial device open, and that may be ended.
package struct HoldingProcess: LookedUp, Equatable {
  private let id: pid_t

  /// `nil` if the process does not have the device open, or if ending it would end the machine or this process.
  package init?(_ id: pid_t, of device: SerialPath, on machine: Machine) {
    guard id > 1, id != getpid(), !machine.ancestors(ofProcess: "self").contains(id),
      machine.process(id, hasOpen: device.shellText)
    else { return nil }
    self.id = id
  }

  package var shellText: String { "\(id)" }
}

/// A word of a file that only root can change, such as the name of a group.
package struct RootsWord: LookedUp, Equatable {
  package let shellText: String

  /// `nil` if the file does not contain the word, if others than root can change it, or if a shell would take
  /// the word for something else.
  package init?(_ word: String, in file: String, on machine: Machine) {
    guard word.isPlainInShell, machine.isRoots(file),
      machine.text(of: file)?.contains(text: word) == true
    else { return nil }
    shellText = word
  }
}
