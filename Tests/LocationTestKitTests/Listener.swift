import LocationTestKit

/// A delegate that notes what it hears, as text.
@MainActor
final class Listener: LocationCoordinatorDelegate {
  let heard = Collector<String>()

  func locationCoordinator(_ coordinator: LocationCoordinator, didUpdate fix: LocationFix) {
    heard.add("at \(fix.coordinate.latitude)")
  }

  func locationCoordinator(_ coordinator: LocationCoordinator, didChange change: StateChange) {
    heard.add(change.state.rawValue)
  }

  func locationCoordinator(_ coordinator: LocationCoordinator, didFail error: LocationError) {
    heard.add("\(error)")
  }
}
