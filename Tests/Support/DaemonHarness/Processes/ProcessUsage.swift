package import Glibc
package import SimulatedReceiver

/// What a process uses of the machine.
package struct ProcessUsage: Hashable, Sendable {
  package var residentBytes: Int
  package var openDescriptors: Int
  /// Time on a processor so far, in user and system mode, to 10 ms.
  package var processorTime: Duration

  /// - Throws: ``SystemError`` when the process has ended.
  package init(of identifier: pid_t) throws(SystemError) {
    let folder = "/proc/\(identifier)"
    // The program's name, in parentheses, may contain anything; the state is what follows it.
    let fields = try text(of: "\(folder)/stat").split(separator: ")").last?.split(separator: " ")
    let pages = try text(of: "\(folder)/statm").split(separator: " ")
    guard let fields, fields.count > 12, pages.count > 1, let user = Int(fields[11]),
      let system = Int(fields[12]), let resident = Int(pages[1])
    else { throw SystemError("read \(folder)", code: EINVAL) }
    residentBytes = resident * sysconf(CInt(_SC_PAGESIZE))
    openDescriptors = try entries(of: "\(folder)/fd").count
    processorTime = .seconds(1) * (user + system) / sysconf(CInt(_SC_CLK_TCK))
  }
}

extension ChildProcess {
  /// What the program uses now.
  ///
  /// - Throws: ``SystemError`` when it has ended.
  package func usage() throws(SystemError) -> ProcessUsage { try ProcessUsage(of: identifier) }

  /// What the program uses once all of its threads wait, and none has run between two looks. So what is open for a
  /// moment is always counted, or never.
  ///
  /// - Throws: ``SystemError`` when it has ended; ``TimedOut`` when it does not come to rest.
  package func usageAtRest() async throws -> ProcessUsage {
    var last: [String]?
    return try await waitFor("rest of \(identifier)") {
      let now = try sleepers()
      defer { last = now }
      return now != nil && now == last ? try usage() : nil
    }
  }

  /// How often each thread has begun to wait, by thread; `nil` if one of them runs.
  private func sleepers() throws(SystemError) -> [String]? {
    var sleepers: [String] = []
    for thread in try entries(of: "/proc/\(identifier)/task").sorted() {
      // A thread may have ended meanwhile.
      guard let status = try? text(of: "/proc/\(identifier)/task/\(thread)/status"),
        status.contains("State:\tS")
      else { return nil }
      sleepers += status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        .map { "\(thread) \($0)" }
    }
    return sleepers
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

/// The names in a folder.
private func entries(of path: String) throws(SystemError) -> [String] {
  guard let folder = opendir(path) else { throw SystemError("open \(path)") }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}
