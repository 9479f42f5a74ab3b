import Testing
import VirtualTimeTesting

// snippet: search model
/// Shows what a search has found.
@MainActor final class SearchModel {
  private(set) var results: [String] = []
  private let find: @Sendable (String) async -> [String]

  init(find: @escaping @Sendable (String) async -> [String]) { self.find = find }

  func search(_ text: String) {
    Task(name: "search \(text)") { results = await find(text) }
  }
}
// end

// snippet: latest search
/// Shows what the latest search has found.
@MainActor final class LatestSearchModel {
  private(set) var results: [String] = []
  private let find: @Sendable (String) async -> [String]
  private var searching: Task<Void, Never>?

  init(find: @escaping @Sendable (String) async -> [String]) { self.find = find }

  func search(_ text: String) {
    searching?.cancel()
    searching = Task(name: "search \(text)") {
      let found = await find(text)
      if !Task.isCancelled { results = found }
    }
  }
}
// end

// snippet: search in virtual time
@MainActor @Test func showsWhatASearchFinds() async throws {
  try await withVirtualTime { clock in
    let model = SearchModel { text in
      try? await clock.sleep(for: .seconds(1))
      return [text]
    }
    model.search("ab")
    await clock.advance(by: .seconds(1))
    #expect(model.results == ["ab"])
  }
}
// end

// snippet: search under every schedule
@MainActor func showsTheLatestSearch() async throws {
  struct Outdated: Error {}
  try await exploreSchedules(atMost: 1_000) { clock in
    let model = SearchModel { text in
      try? await clock.sleep(for: .seconds(1))
      return [text]
    }
    model.search("a")
    model.search("ab")
    await clock.advance(by: .seconds(1))
    if model.results != ["ab"] { throw Outdated() }
  }
}
// end

// snippet: search with a trait
@MainActor @Test(.schedules(atMost: 1_000)) func showsTheLatestSearchOnly() async {
  let clock = ManualClock()
  let model = LatestSearchModel { text in
    _ = await Task { try? await clock.sleep(for: .seconds(1)) }.value
    return [text]
  }
  model.search("a")
  model.search("ab")
  await clock.advance(by: .seconds(1))
  #expect(model.results == ["ab"])
}
// end
