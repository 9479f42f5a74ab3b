import LocationCore
import LocationSamples
import Testing

@testable import LocationReports

@Suite struct `A report of times` {
  private static let origin = Timestamp(secondsSince1970: 1_700_000_000)

  private func at(_ second: Double) -> Moment { .start.advanced(by: .seconds(second)) }

  private func times(
    _ kind: ServiceReport.Kind, _ offset: Double?, segment: String? = nil
  ) -> LocationUpdate {
    var report = ServiceReport(kind, device: "/dev/a", text: "{}")
    report.clockOffset = offset.map(Duration.seconds)
    report.sharedMemory = segment
    return .event(.other(report))
  }

  private static let toff = ServiceReport.Kind(rawValue: "TOFF")

  /// A fix a second, and what is added to each second.
  private func report(
    seconds: Int = 60, _ updates: (Int) -> [LocationUpdate]
  ) -> LocationReport {
    var report = LocationReport(countsFigures: true)
    for second in 0..<seconds {
      report.add(
        .fix(
          LocationFix(
            coordinate: Coordinate(latitude: 48, longitude: 11)!, mode: .fix3D, device: "/dev/a",
            time: Self.origin.advanced(by: .seconds(second)))), at: at(Double(second)))
      for update in updates(second) { report.add(update, at: at(Double(second))) }
    }
    report.end(at: at(Double(seconds)))
    return report
  }

  @Test func `says how late the serial line is, and how to configure chrony`() throws {
    let report = report { second in
      [times(Self.toff, 0.154 + Double(second % 3 - 1) / 1000, segment: "NTP2")]
    }
    let timing = try #require(report.receivers.first?.timing)
    #expect(timing.serial?.count == 60 && timing.pulses == nil && timing.segment == "NTP2")
    #expect(
      TimingText.sentences(about: timing) == [
        "Serial time: 0.154 s late (median; 95 % within 1.0 ms).",
        "chrony: refclock SHM 2 refid GPS offset 0.154 delay 0.002 noselect",
      ])
    #expect(
      report.json().contains(
        #""serialTime":{"count":60,"median":0.154,"within95":0.001,"shm":"NTP2"}"#))
    #expect(report.text().contains("  Serial time: 0.154 s late (median; 95 % within 1.0 ms).\n"))
    let page = report.page()
    #expect(page.contains("refclock SHM 2 refid GPS offset 0.154"))
    #expect(page.contains("The median is +154\u{a0}ms."))
  }

  @Test func `says which pulses are missing, and how far the clock is from the others`() throws {
    let report = report { second in
      [10, 11, 30].contains(second) ? [] : [times(.pps, second % 2 == 0 ? 37e-9 : 39e-9)]
    }
    let timing = try #require(report.receivers.first?.timing)
    #expect(timing.serial == nil && timing.pulses?.count == 57 && timing.pulses?.expected == 60)
    #expect(timing.pulses?.gapCount == 2)
    #expect(
      timing.pulses?.gaps.map(\.time) == [9, 29].map { Self.origin.advanced(by: .seconds($0)) })
    #expect(
      TimingText.sentences(about: timing) == [
        "Pulses: 57 of 60 seconds; the clock is +39 ns from them (median; 95 % within 2 ns); "
          + "2 gaps, the longest: no pulse for 3 s at 2023-11-14T22:13:29.000Z."
      ])
    #expect(report.text().contains(" no pulse for 3 s at 2023-11-14T22:13:29.000Z.\n"))
    #expect(
      report.json().contains(
        #""pulses":{"count":57,"expected":60,"clock":{"count":57,"median":0.000000039,"within95":0.000000002},"gaps":[{"time":"2023-11-14T22:13:29.000Z","duration":3.0},{"time":"2023-11-14T22:13:49.000Z","duration":2.0}],"gapCount":2}"#
      ))
    #expect(report.page().contains("The median is +39\u{a0}ns."))
  }

  @Test func `marks when the clock was set, and counts from then on`() throws {
    let report = report { second in
      [times(Self.toff, second < 20 ? 7200.1 : 0.1), times(.pps, second < 20 ? 7200 : 0)]
    }
    let timing = try #require(report.receivers.first?.timing)
    #expect(timing.serial?.count == 40 && timing.pulses?.offset?.count == 40)
    #expect(
      timing.steps == [.init(time: Self.origin.advanced(by: .seconds(21)), length: .seconds(-7200))]
    )
    #expect(
      TimingText.sentences(about: timing).last
        == "The clock of gpsd's machine was set once, by -7200.000 s at 2023-11-14T22:13:41.000Z. "
        + "Times count from then on.")
    #expect(
      report.json().contains(#""clockSteps":[{"time":"2023-11-14T22:13:41.000Z","by":-7200.0}]"#))
  }

  @Test func `reports how often the clock was set, and when it last was`() throws {
    let report = report { second in
      [times(Self.toff, second < 20 ? 3.1 : second < 40 ? 2.1 : 0.1)]
    }
    let timing = try #require(report.receivers.first?.timing)
    #expect(timing.steps.map(\.length) == [.seconds(-1), .seconds(-2)])
    #expect(
      TimingText.sentences(about: timing).last
        == "The clock of gpsd's machine was set 2 times, by -2.000 s at 2023-11-14T22:14:01.000Z the last time. "
        + "Times count from then on.")
  }

  @Test func `draws how late times are, about their median`() throws {
    let report = report { second in
      second % 3 == 0 ? [] : [times(Self.toff, second == 31 ? 0.2 : second % 3 == 1 ? 0.1 : 0.104)]
    }
    let page = report.page()
    #expect(page.contains(">-10</text>") && page.contains(">from the median, ms</text>"))
    // Half of the times are 4 ms earlier than the median, and one is far beyond the edge.
    #expect(page.contains(#"<path class="b1" d="M46.8 127L51.1 97 59.7 127 64 97 72.6 127 "#))
    #expect(page.contains(" 167.2 97 175.8 22 180.1 97 "))
    #expect(page.contains(#"<th scope="col">offset, ms</th></tr></thead>"#))
    #expect(page.contains(#"<th scope="row">22:13:45</th><td>100 to 104</td>"#))
    #expect(page.contains(#"<th scope="row">22:13:50</th><td>100 to 200</td>"#))
  }

  @Test(arguments: [
    (-0.001, "0.001 s behind"), (1.5, "1.500 s ahead of"), (3600.25, "3600.250 s ahead of"),
  ])
  func `says that a clock is not set, and has no line for chrony`(
    offset: Double, words: String
  ) throws {
    let timing = try #require(
      report { _ in [times(Self.toff, offset)] }.receivers.first?.timing)
    #expect(
      TimingText.sentences(about: timing) == [
        "Serial time: the clock of gpsd's machine is \(words) the receiver's "
          + "(median; 95 % within 0 ns): it is not set."
      ])
    #expect(timing.serial.flatMap(TimingText.lateness) == nil)
  }

  @Test func `has no line for chrony after only a few times`() throws {
    let timing = try #require(
      report(seconds: 19) { _ in [times(Self.toff, 0)] }.receivers.first?.timing)
    #expect(
      TimingText.sentences(about: timing) == ["Serial time: 0.000 s late (median of 19)."])
  }

  @Test func `has pulses without an offset, and a single pulse`() throws {
    let timing = try #require(
      report(seconds: 1) { _ in [times(.pps, nil)] }.receivers.first?.timing)
    #expect(TimingText.sentences(about: timing) == ["Pulses: 1 of 1 seconds."])
  }

  @Test func `has one time over the serial line`() throws {
    let timing = try #require(
      report(seconds: 1) { _ in [times(Self.toff, 0.25)] }.receivers.first?.timing)
    #expect(timing.pulses == nil)
    #expect(TimingText.sentences(about: timing) == ["Serial time: 0.250 s late (median of 1)."])
  }

  @Test func `says nothing about other reports`() {
    let report = report { _ in [times(ServiceReport.Kind(rawValue: "ATT"), nil)] }
    #expect(report.receivers.first?.timing == nil)
    #expect(!report.json().contains("serialTime") && !report.json().contains("pulses"))
  }

  @Test func `keeps the first 100 settings of a clock`() throws {
    var log = TimeLog()
    for index in 0..<204 {
      var report = ServiceReport(Self.toff, text: "")
      report.clockOffset = .seconds(index / 2)
      log.add(report, at: at(Double(index)))
    }
    let steps = try #require(log.report { _ in nil }?.steps)
    #expect(steps.map(\.length) == Array(repeating: .seconds(1), count: 100))
  }

  /// The first segment could be another receiver's.
  @Test(arguments: [nil, "NTP", "NTP-1", "SHM0", "0", "NTP256", ""])
  func `has no line for chrony if gpsd names no segment`(segment: String?) throws {
    let timing = try #require(
      report(seconds: 20) { _ in [times(Self.toff, 0.25)] }.receivers.first?.timing)
    let offset = try #require(timing.serial)
    #expect(TimingText.chrony(offset, segment) == nil)
    #expect(TimingText.chrony(offset, "NTP0")?.hasPrefix("chrony: refclock SHM 0 ") == true)
    #expect(TimingText.sentences(about: timing).count == 1)
  }

  @Test func `keeps the 100 longest gaps`() throws {
    var log = TimeLog()
    var second = 0.0
    for index in 0...120 {
      log.add(ServiceReport(.pps, text: ""), at: at(second))
      second += index == 7 ? 50 : index < 20 ? 2 : 3
    }
    let pulses = try #require(log.report { _ in nil }?.pulses)
    #expect(pulses.gapCount == 120 && pulses.gaps.count == 100)
    #expect(pulses.gaps.filter { $0.length == .seconds(3) }.count == 99)
    #expect(pulses.gaps.contains { $0.length == .seconds(50) })
  }

  @Test(arguments: [
    (1.5, "1.5 s"), (0.25, "250 ms"), (0.0021, "2.1 ms"), (38e-9, "38 ns"), (2e-6, "2.0 µs"),
    (-4e-3, "-4.0 ms"), (0, "0 ns"),
  ])
  func `writes short times with two digits`(seconds: Double, text: String) {
    #expect(TimingText.short(.seconds(seconds)) == text)
  }
}
