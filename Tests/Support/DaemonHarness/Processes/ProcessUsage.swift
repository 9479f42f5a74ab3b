import Glibc
package import SimulatedReceiver

/// What a process uses of the machine.
package struct ProcessUsage: Hashable, Sendable {
  package var residentBytes: Int
  package var openDescriptors: Int
  /// Time on a processor so far, in user and system mode, to 10 ms.
  package var processorTime: Duration
}

extension ChildProcess {
  /// What the program uses now.
  ///
  /// - Throws: ``SystemError`` when it has ended.
  package func usage() throws(SystemError) -> ProcessUsage {
    let folder = "/proc/\(identifier)"
    // The program's name, in parentheses, may contain anything; the state is what follows it.
    let fields = try text(of: "\(folder)/stat").split(separator: ")").last?.split(separator: " ")
    let pages = try text(of: "\(folder)/statm").split(separator: " ")
    guard let fields, fields.count > 12, pages.count > 1, let user = Int(fields[11]),
      let system = Int(fields[12]), let resident = Int(pages[1])
    else { throw SystemError("read \(folder)", code: EINVAL) }
    return ProcessUsage(
      residentBytes: resident * sysconf(CInt(_SC_PAGESIZE)),
      openDescriptors: try entryCount(of: "\(folder)/fd"),
      processorTime: .seconds(1) * (user + system) / sysconf(CInt(_SC_CLK_TCK)))
  }
}

private func text(of path: String) throws(SystemError) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemError("open \(path)") }
  defer { close(descriptor) }
  var buffer = [UInt8](repeating: 0, count: 4096)
  let count = read(descriptor, &buffer, buffer.count)
  guard count > 0 else { throw SystemError("read \(path)") }
  return String(decoding: buffer[..<count], as: UTF8.self)
}

private func entryCount(of path: String) throws(SystemError) -> Int {
  guard let folder = opendir(path) else { throw SystemError("open \(path)") }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  // The folder itself and the one above it are entries, too.
  return count - 2
}
