public import LocationCore

/// One step of what a ``ScriptedLocationSource`` does. Behind its last step a connection ends.
public enum LocationScriptStep: Hashable, Sendable {
  /// Reports something.
  case event(LocationEvent)
  /// Lets so much time pass before the next step.
  case wait(Duration)
  /// Fails; the steps after it are never taken.
  case fail(LocationError)
  /// Keeps the connection open for what a test forces; the steps after it are never taken.
  case stayOpen
}
