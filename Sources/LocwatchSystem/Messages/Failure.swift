/// Why a run could not begin or had nothing to write, with its exit status.
package struct Failure: Error, Equatable {
  package var status: ExitStatus
  package var message: Message

  package init(_ status: ExitStatus, _ message: Message) {
    self.status = status
    self.message = message
  }
}
