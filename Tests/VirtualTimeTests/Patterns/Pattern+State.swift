import Synchronization
import VirtualTime

extension Pattern {
  /// State that has changed, or not yet, when a task continues after an `await`.
  static let state = [
    Pattern(
      name: "search",
      faulty: { clock in try await search(clock, isChecked: false) },
      mended: { clock in try await search(clock, isChecked: true) }),
    Pattern(
      name: "stale load",
      faulty: { _ in try await staleLoad(cancelsOld: false) },
      mended: { _ in try await staleLoad(cancelsOld: true) }),
    Pattern(
      name: "refresh twice",
      faulty: { _ in try await refresh(sharesTask: false) },
      mended: { _ in try await refresh(sharesTask: true) }),
    Pattern(
      name: "sign-out",
      faulty: { clock in try await signOut(clock, checksSession: false) },
      mended: { clock in try await signOut(clock, checksSession: true) }),
    Pattern(
      name: "stampede",
      faulty: { clock in try await stampede(clock, storesTask: false) },
      mended: { clock in try await stampede(clock, storesTask: true) }),
    Pattern(
      name: "bank",
      faulty: { clock in try await bank(clock, isAtomic: false) },
      mended: { clock in try await bank(clock, isAtomic: true) }),
    Pattern(
      name: "sequence numbers",
      faulty: { clock in try await uploads(clock, numbersFirst: false) },
      mended: { clock in try await uploads(clock, numbersFirst: true) }),
  ]
}

/// Takes a few steps, as a request does.
private func request<Value: Sendable>(_ value: Value) async -> Value {
  await Task.yield()
  return value
}

@MainActor private final class SearchModel {
  private(set) var results = ""
  private var latest = ""
  private let isChecked: Bool

  init(isChecked: Bool) { self.isChecked = isChecked }

  func search(_ text: String) {
    latest = text
    Task {
      let found = await request(text)
      if !isChecked || text == latest { results = found }
    }
  }
}

@MainActor private func search(_ clock: ManualClock, isChecked: Bool) async throws {
  let model = SearchModel(isChecked: isChecked)
  for text in ["a", "ab", "abc"] { model.search(text) }
  await clock.settle()
  try check(model.results, is: "abc")
}

private actor Profile {
  private(set) var name = ""
  func set(_ name: String) { self.name = name }
}

private func staleLoad(cancelsOld: Bool) async throws {
  let profile = Profile()
  func load(_ name: String) -> Task<Void, Never> {
    Task {
      let loaded = await request(name)
      if !Task.isCancelled { await profile.set(loaded) }
    }
  }
  let old = load("old")
  if cancelsOld {
    old.cancel()
    await old.value
  }
  let new = load("new")
  await old.value
  await new.value
  try check(await profile.name, is: "new")
}

private actor Session {
  private(set) var refreshes = 0
  private var token: Int?
  private var refreshing: Task<Int, Never>?
  private let sharesTask: Bool

  init(sharesTask: Bool) { self.sharesTask = sharesTask }

  func validToken() async -> Int {
    if let token { return token }
    if sharesTask, let refreshing { return await refreshing.value }
    let task = Task { await request(7) }
    refreshes += 1
    refreshing = task
    let token = await task.value
    self.token = token
    return token
  }
}

private func refresh(sharesTask: Bool) async throws {
  let session = Session(sharesTask: sharesTask)
  let first = Task { await session.validToken() }
  await steps(5)
  _ = await (session.validToken(), first.value)
  try check(await session.refreshes, is: 1)
}

private actor Account {
  private(set) var user: String? = "me"
  private var session = 1
  private let checksSession: Bool

  init(checksSession: Bool) { self.checksSession = checksSession }

  func reload() async {
    let before = session
    let name = await request("me again")
    if !checksSession || (session == before && user != nil) { user = name }
  }

  func signOut() {
    session += 1
    user = nil
  }
}

private func signOut(_ clock: ManualClock, checksSession: Bool) async throws {
  let account = Account(checksSession: checksSession)
  let reload = Task { await account.reload() }
  let signOut = Task {
    await steps(4)
    await account.signOut()
  }
  await reload.value
  await signOut.value
  try check(await account.user, is: nil)
}

private actor ImageCache {
  private(set) var loads = 0
  private var images: [String: Task<String, Never>] = [:]
  private var loaded: [String: String] = [:]
  private let storesTask: Bool

  init(storesTask: Bool) { self.storesTask = storesTask }

  func image(_ name: String) async -> String {
    if let image = loaded[name] { return image }
    if storesTask, let task = images[name] { return await task.value }
    loads += 1
    let task = Task { await request(name) }
    images[name] = task
    let image = await task.value
    loaded[name] = image
    return image
  }
}

private func stampede(_ clock: ManualClock, storesTask: Bool) async throws {
  let cache = ImageCache(storesTask: storesTask)
  let first = Task { await cache.image("a") }
  await steps(5)
  _ = await (cache.image("a"), first.value)
  try check(await cache.loads, is: 1)
}

private actor Bank {
  private(set) var balance = 100
  private let isAtomic: Bool

  init(isAtomic: Bool) { self.isAtomic = isAtomic }

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    if isAtomic { balance -= amount }
    _ = await request(amount)
    if !isAtomic { balance -= amount }
  }
}

private func bank(_ clock: ManualClock, isAtomic: Bool) async throws {
  let bank = Bank(isAtomic: isAtomic)
  Task { await bank.withdraw(80) }
  Task {
    await steps(4)
    await bank.withdraw(80)
  }
  await clock.settle()
  try check(await bank.balance, is: 20)
}

private actor Server {
  private(set) var received: [Int] = []
  func receive(_ number: Int) { received.append(number) }
}

private actor Client {
  private var last = 0
  private let server: Server
  private let numbersFirst: Bool

  init(_ server: Server, numbersFirst: Bool) {
    self.server = server
    self.numbersFirst = numbersFirst
  }

  func upload() async {
    if numbersFirst {
      last += 1
      return await server.receive(last)
    }
    let next = last + 1
    _ = await request(next)
    last = next
    await server.receive(next)
  }
}

private func uploads(_ clock: ManualClock, numbersFirst: Bool) async throws {
  let server = Server()
  let client = Client(server, numbersFirst: numbersFirst)
  Task { await client.upload() }
  Task {
    await steps(4)
    await client.upload()
  }
  await clock.settle()
  try check(Set(await server.received), is: [1, 2])
}
