/// Why a run could not begin, or gave nothing, and the status to end with.
struct Failure: Error {
  var status: ExitStatus
  var words: String

  init(_ status: ExitStatus, _ words: String) {
    self.status = status
    self.words = words
  }
}
