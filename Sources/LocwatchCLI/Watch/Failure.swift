/// Why a run could not begin or had nothing to write, with its exit status.
struct Failure: Error, Equatable {
  var status: ExitStatus
  var message: Message

  init(_ status: ExitStatus, _ message: Message) {
    self.status = status
    self.message = message
  }
}
