import Glibc
import Testing

@testable import GPSDLocation

/// Returns a file that reads what is written to the descriptor.
func recordingOfPipe() throws -> (file: RecordingFile, writer: CInt) {
  var ends: [CInt] = [-1, -1]
  try #require(Glibc.pipe(&ends) == 0)
  for end in ends {
    _ = fcntl(end, F_SETFL, O_NONBLOCK)
    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
  }
  return (RecordingFile(pipe: ends[0], name: "a pipe"), ends[1])
}
