// Each region from `// snippet:` to `// end` is a code block of an article; regions of one name make
// one block.

// snippet: five lines
import LibGPS

// end

func printPlaces() async throws {
  // snippet: five lines
  for try await update in GPSDLocationSource().updates() {
    if case .fix(let fix) = update { print(fix.coordinate) }
  }
  // end
}

func printOnePlace() async {
  // snippet: one location
  do {
    let fix = try await GPSDLocationSource().currentLocation(timeout: .seconds(20))
    print(fix.coordinate.latitude, fix.coordinate.longitude, fix.horizontalError ?? .infinity)
  } catch {
    print("No location: \(error)")
  }
  // end
}

func watchOneReceiver() -> LocationUpdates {
  // snippet: another gpsd
  let source = GPSDLocationSource(
    endpoint: GPSDEndpoint(host: "boat.example"), device: "/dev/ttyACM0")
  let updates = source.updates(LocationRequest(desiredAccuracy: 20, distanceFilter: 5))
  // end
  return updates
}

// snippet: coordinator
@MainActor
final class Dashboard {
  private let coordinator: LocationCoordinator
  private(set) var title = "Searching…"

  init(_ provider: some LocationProvider) {
    coordinator = LocationCoordinator(provider)
    coordinator.request.desiredAccuracy = 20
    coordinator.onUpdate = { [weak self] fix in self?.title = "\(fix.coordinate.latitude)" }
    coordinator.onFailure = { [weak self] error in self?.title = "\(error)" }
    coordinator.start()
  }
}
// end
