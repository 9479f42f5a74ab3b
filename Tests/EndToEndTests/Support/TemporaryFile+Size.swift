import Glibc
import TestSupport

extension TemporaryFile {
  /// The size in bytes; 0 if there is no file. To read a file that grows takes longer each time.
  var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
