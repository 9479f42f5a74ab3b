/// Why a run could not begin or had nothing to write, with its exit status.
struct Failure: Error {
  var status: ExitStatus
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
