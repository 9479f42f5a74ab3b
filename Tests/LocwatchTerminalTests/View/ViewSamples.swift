import LocationCore

@testable import LocationFormats
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// What views are drawn of in tests.
enum ViewSamples {
  static let satellites = [
    satellite(0, 2, 60, 300, 46, true), satellite(0, 5, 45, 160, 44, true),
    satellite(0, 29, 35, 50, 33, false), satellite(1, 133, 30, 180, 38, false),
    satellite(2, 11, 20, 270, 29.6, true), satellite(3, 23, 70, 20, 41, true),
    satellite(5, 2, 12, 100, nil, false), satellite(6, 7, 0, 0, 12, false),
    satellite(6, 8, 10, 225, 36, true),
  ]

  private static func satellite(
    _ system: Int, _ number: Int, _ elevation: Double, _ azimuth: Double, _ strength: Double?,
    _ isUsed: Bool
  ) -> Satellite {
    Satellite(
      prn: number, gnssID: system, svID: number, elevation: elevation, azimuth: azimuth,
      signalStrength: strength, isUsed: isUsed)
  }

  /// A receiver with a fix for some minutes, that walked about its mean.
  static var model: ViewModel {
    var model = ViewModel()
    let start = Moment(uptime: .zero)
    model.record(.state(StateChange(.connecting, at: Samples.moment(nil))), at: start)
    let change = StateChange(
      .fix3D, of: .receiver(Samples.device), previous: .connecting, time: Samples.time(5, 0),
      at: Samples.moment(Samples.time(5, 0)))
    model.record(.state(change), at: start)
    model.record(.event(.sky(SkyView(device: Samples.device, satellites: satellites))), at: start)
    for second in 0...120 {
      let (sine, cosine) = sineAndCosine(ofDegrees: Double(second) * 40)
      var fix = Samples.fix
      fix.time = Samples.time(5, Int64(second))
      fix.coordinate =
        Coordinate(
          latitude: 48.118633333 + 2e-5 * cosine * Double(second) / 120,
          longitude: 11.517333333 + 3e-5 * sine) ?? .nullIsland
      fix[.vdop] = 1.8
      fix.quality = .dgps
      model.record(.fix(fix), at: start.advanced(by: .seconds(second)))
    }
    return model
  }

  static let now = Moment(uptime: .seconds(121))

  static func canvas(
    of model: ViewModel = model, columns: Int, rows: Int, at now: Moment = now,
    _ change: (inout TerminalStyle) -> Void = { _ in }
  ) -> Canvas {
    var style = TerminalStyle()
    change(&style)
    return ViewRenderer(style: style).canvas(
      of: model.content(at: now), columns: columns, rows: rows)
  }

  /// The lines of what a model shows, changed by the test.
  static func shown(
    of model: ViewModel = model, columns: Int, rows: Int, utf8: Bool = true,
    _ change: (inout ViewContent) -> Void
  ) -> [String] {
    var style = TerminalStyle()
    style.showsUTF8 = utf8
    var content = model.content(at: now)
    change(&content)
    return ViewRenderer(style: style).canvas(of: content, columns: columns, rows: rows).lines
  }

  static func lines(
    of model: ViewModel = model, columns: Int, rows: Int, at now: Moment = now,
    _ change: (inout TerminalStyle) -> Void = { _ in }
  ) -> [String] {
    canvas(of: model, columns: columns, rows: rows, at: now, change).lines
  }
}

extension Canvas {
  /// A line for each run of cells of a row that do not look plain: row, columns, and the style.
  var styles: [String] {
    (0..<rows).flatMap { row in
      var runs: [String] = []
      var start = 0
      while start < columns {
        let style = self[start, row].style
        let end = (start..<columns).first { self[$0, row].style != style } ?? columns
        if style != .plain { runs.append("\(row) \(start)..<\(end) \(style.words)") }
        start = end
      }
      return runs
    }
  }
}

extension CellStyle {
  fileprivate var words: String {
    let color: String? =
      switch self.color {
      case .ansi(let number): "ansi \(number)"
      case .rgb(let value): "#" + String(value, radix: 16)
      case nil: nil
      }
    return [weight == .normal ? nil : "\(weight)", color, isReversed ? "reversed" : nil]
      .compactMap(\.self).joined(separator: " ")
  }
}
