/// Keeps prices for a minute, and loads each only once at a time.
public actor PriceCache {
  private struct Entry {
    var price: Int
    var time: Duration
  }

  private let load: @Sendable (String) async throws -> Int
  private let now: @Sendable () -> Duration
  private var entries: [String: Entry] = [:]
  private var loading: [String: Task<Int, any Error>] = [:]

  /// - Parameters:
  ///   - now: The time since any beginning.
  ///   - load: Loads the price of an article.
  public init(
    now: @escaping @Sendable () -> Duration, load: @escaping @Sendable (String) async throws -> Int
  ) {
    self.now = now
    self.load = load
  }

  public func price(of article: String) async throws -> Int {
    if let entry = entries[article], now() - entry.time < .seconds(60) { return entry.price }
    if let task = loading[article] { return try await task.value }
    let task = Task(name: "load \(article)") { try await load(article) }
    loading[article] = task
    defer { loading[article] = nil }
    let price = try await task.value
    entries[article] = Entry(price: price, time: now())
    return price
  }
}
