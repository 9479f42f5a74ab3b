// snippet: view model
import LocationCore
import Observation

/// Shows the name of the place where the receiver is.
@MainActor @Observable final class PlaceViewModel {
  private(set) var name = ""
  private let coordinator: LocationCoordinator
  private let find: @Sendable (Coordinate) async -> String
  @ObservationIgnored private var finding: Task<Void, Never>?

  init(
    _ provider: some LocationProvider, find: @escaping @Sendable (Coordinate) async -> String
  ) {
    coordinator = LocationCoordinator(provider)
    self.find = find
    coordinator.onUpdate = { [weak self] fix in self?.show(fix.coordinate) }
  }

  func start() { coordinator.start() }

  func stop() {
    coordinator.stop()
    finding?.cancel()
  }

  private func show(_ place: Coordinate) {
    finding?.cancel()
    finding = Task { [weak self, find] in
      let name = await find(place)
      if !Task.isCancelled { self?.name = name }
    }
  }
}
// end
