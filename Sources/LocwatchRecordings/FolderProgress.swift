import LocationCore

/// How far a ``Recorder`` has come in its folder.
struct FolderProgress {
  /// How long to wait after an error before the next try.
  static let retryInterval = Duration.seconds(1)

  let folder: RecordingFolder
  /// When the current file began; `nil` while there is none.
  var start: Moment?
  /// The moment of the last lines.
  var latest = Moment.past
  /// When to try again; `nil` if there was no error.
  var retry: Moment?
  /// When the upkeep of the folder last ran, and the size of the current file then.
  var upkeep = (moment: Moment.past, size: 0)
}
