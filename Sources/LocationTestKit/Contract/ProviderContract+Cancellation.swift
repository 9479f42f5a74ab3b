import LocationCore

extension ProviderContract {
  func cancellationViolations() async -> [ContractViolation] {
    var found: [ContractViolation] = []
    for (name, end) in [
      ("an iteration", await endOfCancelledIteration()),
      ("a connection", await endOfCancelledConnection()),
      ("a waiting iteration", await endOfIterationCancelledWhileItWaits()),
    ] where end != .ended {
      found.append(ContractViolation(.cancellationEnds, "the end of \(name) is \(end)"))
    }
    for (name, count) in [
      ("an iteration", await countAfterCancelledIteration()),
      ("a connection", await countAfterCancelledConnection()),
    ] where count > 0 {
      found.append(
        ContractViolation(
          .cancellationEnds, "\(name) gave \(count) more after it was cancelled"))
    }
    return found
  }

  /// How many events an iteration gives that is cancelled behind its first one.
  private func countAfterCancelledIteration() async -> Int {
    guard !expected.isEmpty else { return 0 }
    return await cancelledWhenBegun { begun in
      var transcript = Transcript()
      var iterator = provider.events().makeAsyncIterator()
      await transcript.read(&iterator)
      await begun()
      while transcript.isUnread(below: expected.count) { await transcript.read(&iterator) }
      return transcript.events.count - 1
    }
  }

  /// How many events a connection gives that is cancelled behind its first one.
  private func countAfterCancelledConnection() async -> Int {
    guard !expected.isEmpty else { return 0 }
    return await cancelledWhenBegun { begun in
      var connection = provider.connection()
      _ = try? await connection.next(until: nil)
      await begun()
      var count = 0
      if case .event = connection.nextBuffered(until: nil) { count += 1 }
      while count < expected.count, case .event = try? await connection.next(until: nil) {
        count += 1
      }
      await connection.close()
      return count
    }
  }

  /// - Parameter body: Calls back when it has begun, and goes on when its task is cancelled.
  private func cancelledWhenBegun(
    _ body: @escaping @Sendable (_ begun: () async -> Void) async -> Int
  ) async -> Int {
    let hasBegun = Rendezvous<Void>()
    let task = Task {
      await body {
        hasBegun.bring(())
        while !Task.isCancelled { await Task.yield() }
      }
    }
    _ = await hasBegun.take()
    task.cancel()
    return await task.value
  }

  private func endOfCancelledIteration() async -> Transcript.End {
    await inCancelledTask { await Transcript.ofIteration(of: provider, limit: .max).end }
  }

  private func endOfCancelledConnection() async -> Transcript.End {
    await inCancelledTask {
      await Transcript.ofConnection(to: provider, limit: .max, polls: false).end
    }
  }

  /// Only a provider that stays open is sure to wait.
  private func endOfIterationCancelledWhileItWaits() async -> Transcript.End {
    guard ending == .staysOpen else { return .ended }
    let isThrough = Rendezvous<Void>()
    let reader = Task {
      var count = 0
      do throws(LocationError) {
        var iterator = provider.events().makeAsyncIterator()
        if expected.isEmpty { isThrough.bring(()) }
        while try await iterator.next(isolation: #isolation) != nil {
          count += 1
          if count == expected.count { isThrough.bring(()) }
        }
        return Transcript.End.ended
      } catch {
        return .failed(error.code)
      }
    }
    _ = await isThrough.take()
    reader.cancel()
    return await reader.value
  }

  private func inCancelledTask(
    _ body: @escaping @Sendable () async -> Transcript.End
  ) async -> Transcript.End {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await body()
    }
    task.cancel()
    return await task.value
  }
}
