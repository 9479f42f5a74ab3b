public import LocationCore

/// A step in the script of a ``ScriptedLocationSource``. A connection ends after its last step.
public enum LocationScriptStep: Hashable, Sendable {
  /// Reports an event.
  case event(LocationEvent)
  /// Waits before the next step.
  case wait(Duration)
  /// Fails with an error. Later steps are never taken.
  case fail(LocationError)
  /// Keeps the connection open for forced steps. Later steps are never taken.
  case stayOpen
}
