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
    return found
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
