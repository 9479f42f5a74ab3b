/// What has come from one of several sources.
package enum SourceNews: Sendable {
  case update(LocationUpdate, of: Int)
  /// The source has ended, with the error of its last failure if there was one.
  case ended(LocationError?, of: Int)
}

/// The updates of several sources, polled. Each source has a number.
///
/// Only sources that the listener has heard, or whose deadline has passed, are polled. A source is polled until it is
/// quiet before another one has its turn.
package struct PolledSources {
  fileprivate struct Source {
    var updates: PolledUpdates
    let clock: LocationClock
    /// Whether its clock does not show the time of the others.
    let standsStill: Bool
    let observer: Observer
    let isObserved: Bool
    var hasBegun = false
    /// When it is polled although it was not heard, in nanoseconds of uptime; `Int64.max` for never.
    var deadline = Int64.min
    /// Whether it has been removed, and its number can be used again.
    var isRemoved = false

    init(_ updates: LocationUpdates, _ observer: Observer) {
      self.updates = PolledUpdates(updates)
      clock = updates.clock
      standsStill = clock.standsStill
      self.observer = observer
      isObserved = observer.timePassed != nil || observer.linkFailed != nil
    }
  }

  /// What is called before some of the updates of a source.
  package struct Observer: Sendable {
    /// Called with the current moment before the first update, and before each that only time has caused.
    var timePassed: (@Sendable (Moment) -> Void)?
    /// Called before the update that reports a failed link.
    var linkFailed: (@Sendable (StateChange) -> Void)?

    package init(
      timePassed: (@Sendable (Moment) -> Void)? = nil,
      linkFailed: (@Sendable (StateChange) -> Void)? = nil
    ) {
      self.timePassed = timePassed
      self.linkFailed = linkFailed
    }
  }

  /// Hears the sources.
  package let listener: Listener
  /// Up to when a source may read ahead, because its reader has something else to do then; `nil` for any time.
  package var horizon: Moment? = .past
  /// By their numbers.
  private var sources: [Source] = []
  /// The sources to poll, in reverse order.
  private var ready: [Int] = []
  /// Has memory for those that are heard together.
  private var heard: [Int] = []
  /// The current moment.
  private var now = Moment.past

  package init(hearing listener: Listener) { self.listener = listener }

  /// Adds a source, which is polled next.
  ///
  /// - Returns: Its number. The number of a removed source is used again.
  @discardableResult
  package mutating func add(
    _ updates: LocationUpdates, _ observer: Observer = Observer()
  ) -> Int {
    let source = Source(updates, observer)
    guard let number = sources.firstIndex(where: \.isRemoved) else {
      sources.append(source)
      return sources.count - 1
    }
    sources[number] = source
    return number
  }

  /// Ends the connection of a source.
  package mutating func remove(_ number: Int) {
    guard !sources[number].isRemoved else { return }
    sources[number].updates.close()
    sources[number].isRemoved = true
    sources[number].deadline = .max
  }

  /// Ends all connections.
  package mutating func close() { for number in sources.indices { remove(number) } }

  /// When to call ``gather(at:)`` although nothing was heard; `nil` for never.
  package var deadline: Moment? {
    var earliest = Int64.max
    for number in sources.indices { earliest = min(earliest, sources[number].deadline) }
    return earliest < .max ? Moment(uptimeNanoseconds: earliest, wall: nil) : nil
  }

  /// Whether there are sources to poll.
  package var areReady: Bool { !ready.isEmpty }

  /// Finds the sources to poll, after all that were found before have been polled: those that were heard, and then those
  /// that are due, in the order of their deadlines.
  package mutating func gather(at now: Moment) {
    self.now = now
    for number in sources.indices where sources[number].deadline <= now.uptimeNanoseconds {
      ready.append(number)
    }
    if ready.count > 1 { sortReady() }
    listener.take(into: &heard)
    while let number = heard.popLast() { ready.append(number) }
  }

  /// Records that time has passed since the sources to poll were found.
  package mutating func advance(to now: Moment) { self.now = now }

  private mutating func sortReady() {
    let deadlines = sources.map(\.deadline)
    ready.sort { (deadlines[$0], $0) > (deadlines[$1], $1) }
  }

  /// Returns the next news of the sources that were found, and when it came; `nil` if there is none.
  package mutating func next() -> (news: SourceNews, moment: Moment)? {
    while let number = ready.last {
      // A listener may have heard a source of an earlier run.
      if number < sources.count, !sources[number].isRemoved, let news = poll(number) { return news }
      ready.removeLast()
    }
    return nil
  }

  /// Returns the next news of a source; `nil` if it is quiet.
  private mutating func poll(_ number: Int) -> (news: SourceNews, moment: Moment)? {
    let now = sources[number].standsStill ? sources[number].clock.now : now
    sources[number].updates.horizon = horizon
    do throws(LocationError) {
      switch try sources[number].updates.poll(at: now) {
      case .received((let update, let moment)):
        if sources[number].isObserved { sources[number].observe(update, at: moment) }
        return (.update(update, of: number), moment)
      case .quiet:
        listen(to: number)
        return nil
      case .ended: return end(number, nil, at: now)
      }
    } catch {
      return end(number, error, at: now)
    }
  }

  private mutating func listen(to number: Int) {
    let wait = sources[number].updates.wait()
    sources[number].deadline = wait.deadline?.uptimeNanoseconds ?? .max
    wait.arrival?.tell(listener, as: number)
  }

  private mutating func end(
    _ number: Int, _ error: LocationError?, at now: Moment
  ) -> (news: SourceNews, moment: Moment) {
    let moment = max(sources[number].updates.latest, now)
    remove(number)
    return (.ended(error, of: number), moment)
  }
}

extension PolledSources.Source {
  /// Calls the observer before an update.
  fileprivate mutating func observe(_ update: LocationUpdate, at moment: Moment) {
    if let passed = updates.expiry ?? (hasBegun ? nil : moment) { observer.timePassed?(passed) }
    hasBegun = true
    if case .state(let change) = update, change.state == .noService { observer.linkFailed?(change) }
  }
}
