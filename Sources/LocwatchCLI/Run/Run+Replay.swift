import EventLoop
import GPSDLocation
import GPSDProtocol
import LocationCore
import LocwatchDoctor
import LocwatchReceivers
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

extension Run {
  /// Replays files, in their order.
  func replay() async throws(Failure) -> ExitStatus {
    let logs = try await openReplays()
    defer { for case .raw(let log) in logs { log.stop() } }
    var files: [RecordingFile] = []
    for log in logs { files.append(try await log.file(by: loop.clock)) }
    defer {
      for damage in logs.compactMap(\.damage) { log.error(damage) }
      for remark in logs.compactMap(\.remarkOnDates) { log.error(remark) }
    }
    return try await nameSources(files)
      ? try await replaySources(of: files, logs)
      : try await replaySource(of: files, logs)
  }

  /// Replays a recording of a single source.
  private func replaySource(
    of files: [RecordingFile], _ logs: [ReplayFile]
  ) async throws(Failure) -> ExitStatus {
    let time = time(of: files, speed: options.speed)
    let session = Replay(files, by: time, range: options.range, on: loop)
    let source = GPSDLocationSource(
      replaying: RecordedSession(session), device: options.device,
      kinds: options.requestedClasses, satellites: options.requestsSatellites,
      statistics: statistics.ofSource(nil))
    statistics.countGaps { session.gaps }
    let progress =
      !options.quiet && !options.verbose
      ? ReplayProgress(of: session, writesToFile: options.display.file != nil, environment) : nil
    let outcome = await follow(
      only: source,
      neverWaits: time.isImmediate && session.size != nil,
      control: options.view ? time : nil, rewind: { session.rewind() },
      beginning: ifPart { session.beginning }
    ) {
      session.contents.whyNoReplay != nil || session.hasOtherSource
        || session.extent?.hasLines == false
        || logs.contains(where: \.isWorthless)
    }
    progress?.end()
    if session.hasOtherSource, case .failed(let error, _) = outcome.result {
      let remedy =
        files.contains { $0.size == nil }
        ? "its first one has no name: save it as a file, and replay that"
        : "its first lines name none: save each run as a file, and replay these"
      throw Failure(.badData, "\(error), but \(remedy)")
    }
    if case .failed(let error, _) = outcome.result, error.code == .disconnected {
      throw Failure(.noInput, "\(error)")
    }
    switch outcome.result {
    case .ended, .timedOut:
      if let failure = logs.lazy.compactMap(\.failure).first { throw failure }
      if let message = lack(of: session.contents, in: files, session.extent) {
        throw Failure(.badData, message)
      }
      if session.isOver, let message = lackOfReceiver(in: files) {
        throw Failure(.unavailable, message)
      }
    case .done, .cancelled, .failed, .output:
      break
    }
    return report(outcome)
  }

  /// Replays a recording of several sources. The lines of runs with a single source form another source,
  /// without a name.
  private func replaySources(
    of files: [RecordingFile], _ logs: [ReplayFile]
  ) async throws(Failure) -> ExitStatus {
    let newSources = NewSources(for: wakeups)
    let recording = Replay(
      files, by: time(of: files, speed: options.speed), range: options.range, on: loop
    ) { [self] recording, name in
      let member = options.ofMember(named: name)
      let source = GPSDLocationSource(
        device: member.device, kinds: member.requestedClasses,
        satellites: member.requestsSatellites,
        statistics: statistics.ofSource(member.memberName), clock: recording.clock(of: name),
        makeSession: { recording.session(of: name) })
      newSources.add([
        RunSource(
          member, updates: member.updates(of: source, retries: retries), clock: source.clock,
          beginning: ifPart { recording.beginning })
      ])
    } didEnd: {
      newSources.recordChange()
    }
    do throws(LocationError) {
      try await recording.begin()
    } catch {
      throw Failure(.noInput, "\(error.detail)")
    }
    statistics.countGaps { [weak recording] in recording?.gaps ?? RecordingGaps() }
    let outcome = await follow(
      newSources, clock: recording.clock, replaying: recording,
      control: options.view ? recording.time : nil
    ) { () throws(LocationError) in
      recording.rewind()
      try await recording.begin()
    }
    if let failure = recording.failure { throw Failure(.noInput, "\(failure.detail)") }
    switch outcome.result {
    case .done, .ended, .timedOut:
      // A problem of the run is more important than a problem of the files.
      guard outcome.status == .success || outcome.status == .timedOut, recording.isOver else {
        break
      }
      if let message = lack(of: recording.contents, in: files, recording.extent) {
        throw Failure(.badData, message)
      }
      if let message = lackOfReceiver(in: files) { throw Failure(.unavailable, message) }
      if let failure = logs.lazy.compactMap(\.failure).first {
        _ = report(outcome)
        throw failure
      }
    case .cancelled, .failed, .output: break
    }
    return report(outcome)
  }

  /// Returns the time of a replay, which the user of a view controls.
  private func time(of files: [RecordingFile], speed: ReplaySpeed) -> ReplayClock {
    let speed: Playback.Speed =
      switch speed {
      case .max: .maximum
      case .times(let factor): .times(factor)
      }
    return ReplayClock(
      speed: speed, isControlled: options.view,
      singlePassFile: files.first { !$0.canBeReadAgain }?.name, realClock: loop.clock)
  }

  /// Returns a function that finds the beginning of the replayed part; `nil` if the recording is replayed from its
  /// beginning.
  private func ifPart(
    _ beginning: @escaping @Sendable () -> Moment?
  ) -> (@Sendable () -> Moment?)? {
    options.range.from == nil ? nil : beginning
  }

  /// Returns whether any of the files to replay names the sources of its lines.
  private func nameSources(_ files: [RecordingFile]) async throws(Failure) -> Bool {
    do throws(LocationError) {
      for (index, file) in files.enumerated() {
        // Only the first stream can be read before its turn, and a view shows that it waits for it.
        if file.size == nil, index > 0 || options.view { continue }
        if try await file.namesSource() { return true }
      }
    } catch {
      throw Failure(.noInput, "\(error.detail)")
    }
    return false
  }

  /// The message for files that are not recordings, or that contain nothing in the part to replay; `nil` for
  /// other files.
  private func lack(
    of contents: [RecordingContents], in files: [RecordingFile], _ extent: RecordedExtent?
  ) -> Message? {
    let lackOfLines = lackOfLines(in: files, extent)
    // A file with times is a recording, even if the part ends before its first report.
    return extent?.times == nil
      ? contents.whyNoReplay ?? lackOfLines : lackOfLines ?? contents.whyNoReplay
  }

  /// The message for a recording without a line in the part to replay; `nil` if it has one.
  private func lackOfLines(in files: [RecordingFile], _ extent: RecordedExtent?) -> Message? {
    guard let extent, !extent.hasLines else { return nil }
    let name = files.count == 1 ? files[0].name : "the recording"
    guard let times = extent.times else {
      return "\(name) has no time of day, so no part of it can be chosen by time"
    }
    let part = [("from", extent.range.start), ("to", extent.range.end)].compactMap { word, time in
      time.map { " \(word) \($0)" }
    }
    return
      "\(name) has nothing\(part.joined()); the part that was read is from \(times.lowerBound) to \(times.upperBound)"
  }

  /// The message for a recording without the requested receiver; `nil` if it has that receiver.
  func lackOfReceiver(in files: [RecordingFile]) -> Message? {
    // Reports contain the name in this form.
    guard let device = options.device?.withoutUserInfo else { return nil }
    let receivers = statistics.receivers
    guard !receivers.contains(where: { isSamePath($0, device) || $0.isEmpty }) else { return nil }
    let (subject, pronoun) =
      files.count == 1 ? ("\(files[0].name) has", "it has") : ("the recordings have", "they have")
    let others =
      receivers.isEmpty ? ", nor any other" : ": \(pronoun) \(receivers.joined(separator: ", "))"
    return "\(subject) no receiver \(device)\(others)"
  }

  /// Opens all files first, so that nothing is written if one of them is missing. They are closed until
  /// their turn comes, because there may be more than a process can have open.
  private func openReplays() async throws(Failure) -> [ReplayFile] {
    var replays: [ReplayFile] = []
    for path in options.replays {
      for path in try files(of: path, options.range) {
        // Only the first stream can be read before its turn, and a view shows that it waits for it.
        let isInspected = replays.isEmpty && !options.view
        replays.append(
          try await ReplayFile(path, inspectsStream: isInspected, environment: environment))
      }
    }
    return replays
  }

  /// Returns the files of an argument, and reports which files of a folder are left out.
  private func files(of path: FilePath, _ range: RecordedRange) throws(Failure) -> [FilePath] {
    guard path.isFolder else { return [path] }
    for message in RecordingFolder.omissions(in: path) { log.error("\(message)") }
    return try RecordingFolder.files(in: path, range)
  }
}
