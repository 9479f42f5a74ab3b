import Foundation

/// What each descriptor of this process refers to: a path, or the kernel's name of a socket or a pipe, which no other
/// socket or pipe has.
package func openDescriptors() -> [CInt: String] {
  let folder = "/proc/self/fd"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.reduce(into: [:]) { descriptors, name in
    // The listing itself had a descriptor, which is closed by now.
    guard let number = CInt(name) else { return }
    descriptors[number] = try? FileManager.default.destinationOfSymbolicLink(
      atPath: "\(folder)/\(name)")
  }
}

/// How many descriptors of this process are those of a file.
package func descriptors(of path: String) -> Int {
  openDescriptors().values.count { $0 == path }
}
