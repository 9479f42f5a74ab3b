import LocationCore
import LocationFormats
import Testing

@testable import LocwatchTerminal

@Suite struct SignalBarsTests {
  @Test func `A bar is as high as its signal is strong, with a number if there is room`() {
    #expect(
      drawn(columns: 40) == [
        "C/N0 dBHz  upper case = used", "50 46  44", "   ▆▆  ▃▃      38      41          36",
        "40 ██  ██  33  ▄▄  30  ██          ▂▂", "30 ██  ██  ▆▆  ██  ▂▂  ██          ██",
        "   ██  ██  ██  ██  ██  ██          ██", "20 ██  ██  ██  ██  ██  ██      12  ██",
        "10 ██  ██  ██  ██  ██  ██      ▆▆  ██", "   ██  ██  ██  ██  ██  ██      ██  ██",
        "   G2  G5  g29 s33 E11 C23 j2  r7  R8",
      ])
  }

  @Test
  func
    `Adjacent bars have only the letters of their systems, as numbers would be illegible`()
  {
    #expect(
      drawn(columns: 12) == [
        "C/N0 dBHz", "50", "   ▆▃", "40 ██ ▄ █  ▂", "30 ██▆█▂█  █", "   ██████  █", "20 ██████  █",
        "10 ██████ ▆█", "   ██████ ██", "   GGgsECjrR",
      ])
  }

  @Test func `If there is no room for all, used and strong satellites stay`() {
    #expect(
      drawn(columns: 8) == [
        "C/N0 d+4", "50", "   ▆▃", "40 ██ █▂", "30 ██▂██", "   █████", "20 █████", "10 █████",
        "   █████", "   GGECR",
      ])
  }

  @Test(arguments: [(7, "   GGCR"), (9, "   GGsECR"), (11, "   GGgsECrR")])
  func `The weakest of the used and of the unused satellites are left out`(
    columns: Int, labels: String
  ) {
    #expect(drawn(columns: columns).last == labels)
  }

  @Test(arguments: [
    (5, 10, ["", "", "", "", "", "", "", "", "", ""]),
    (6, 3, ["C/N0+6", "20 ▇▆▆", "   GGC"]), (6, 2, ["", ""]),
  ])
  func `There are no bars without room for three of them and their labels`(
    columns: Int, rows: Int, lines: [String]
  ) {
    #expect(drawn(columns: columns, rows: rows) == lines)
  }

  @Test(arguments: [
    (33, "C/N0 dBHz  upper case = used"), (32, "C/N0 dBHz"), (87, "C/N0 dBHz  upper case = used"),
    (88, "C/N0 dBHz  G GPS  S SBAS  E Galileo  C BeiDou  J QZSS  R GLONASS  upper case = used"),
  ])
  func `The title is as long as five columns beside it permit`(columns: Int, title: String) {
    var canvas = Canvas(columns: columns, rows: 10)
    SignalBars(satellites: ViewSamples.satellites, showsUTF8: true)
      .draw(on: &canvas, in: canvas.area)
    #expect(canvas.lines[0].hasPrefix(title))
    #expect(canvas.styles[0] == "0 0..<\(title.count) faint")
  }

  @Test func `Without satellites there are the unit and a message`() {
    #expect(
      drawn([], columns: 40, rows: 4) == ["C/N0 dBHz", "    no satellites", "", ""])
  }

  @Test(
    arguments: [
      (55.0, ["C/N0 dBH", "   ██", "40 ██", "20 ██", "   ██", "   G5"]),
      (60, ["C/N0 dBH", "   ██", "40 ██", "20 ██", "   ██", "   G5"]),
      (50, ["C/N0 dBH", "   ▅▅", "40 ██", "20 ██", "   ██", "   G5"]),
      (27.5, ["C/N0 dBH", "", "40 28", "20 ██", "   ██", "   G5"]),
      (0.1, ["C/N0 dBH", "", "40", "20", "   0▁", "   G5"]),
      (0, ["C/N0 dBH", "", "40", "20", "", "   G5"]),
      (-3, ["C/N0 dBH", "", "40", "20", "", "   G5"]),
    ] as [(Double, [String])])
  func `A full bar is 55 dBHz, and any signal has at least a part of a bar`(
    strength: Double, lines: [String]
  ) {
    let satellite = Satellite(prn: 5, signalStrength: strength, isUsed: true)
    #expect(drawn([satellite], columns: 8, rows: 6) == lines)
  }

  @Test(
    arguments: [
      (55.0, ["C/N0 dBH", "   ::", "40 ::", "20 ::", "   ::", "   g5"]),
      (33, ["C/N0 dBH", "", "40 33", "20 ::", "   ::", "   g5"]),
      (30, ["C/N0 dBH", "", "40 30", "20 ::", "   ::", "   g5"]),
      (20, ["C/N0 dBH", "", "40 20", "20 ::", "   ::", "   g5"]),
      (1, ["C/N0 dBH", "", "40", "20", "   1:", "   g5"]),
    ] as [(Double, [String])])
  func `Without UTF-8, half a row and more is a row`(strength: Double, lines: [String]) {
    let satellite = Satellite(prn: 5, signalStrength: strength)
    #expect(drawn([satellite], columns: 8, rows: 6, showsUTF8: false) == lines)
  }

  @Test(arguments: [
    (
      4,
      [
        "C/N0 dBHz", "40 ▅▅ ▅▅ ▂▂ ▃▃ ▁▁ ▄▄    12 ▂▂", "20 ██ ██ ██ ██ ██ ██    ▃▃ ██",
        "   G  G  g  s  E  C  j  r  R",
      ]
    ),
    (
      5,
      [
        "C/N0 dBHz", "40 ▄▄ ▃▃ 33 ▁▁ 30 ▂▂       36", "20 ██ ██ ▆▆ ██ ▅▅ ██    12 ██",
        "   ██ ██ ██ ██ ██ ██    ▅▅ ██", "   G  G  g  s  E  C  j  r  R",
      ]
    ),
    (
      6,
      [
        "C/N0 dBHz", "40 ▅▅ ▅▅ ▂▂ ▃▃ ▁▁ ▄▄    12 ▂▂", "20 ██ ██ ██ ██ ██ ██    ▃▃ ██",
        "   G  G  g  s  E  C  j  r  R", "   2  5  2  3  1  2  2  7  8", "         9  3  1  3",
      ]
    ),
    (
      7,
      [
        "C/N0 dBHz", "40 ▄▄ ▃▃ 33 ▁▁ 30 ▂▂       36", "20 ██ ██ ▆▆ ██ ▅▅ ██    12 ██",
        "   ██ ██ ██ ██ ██ ██    ▅▅ ██", "   G  G  g  s  E  C  j  r  R",
        "   2  5  2  3  1  2  2  7  8", "         9  3  1  3",
      ]
    ),
    (
      8,
      [
        "C/N0 dBHz", "   ▃▃ ▂▂ 33 38 30 41       36", "40 ██ ██ ▃▃ ▆▆ ▁▁ ██       ▅▅",
        "20 ██ ██ ██ ██ ██ ██    12 ██", "   ██ ██ ██ ██ ██ ██    ▇▇ ██",
        "   G  G  g  s  E  C  j  r  R", "   2  5  2  3  1  2  2  7  8", "         9  3  1  3",
      ]
    ),
  ])
  func `Low bars have short labels and few strengths`(rows: Int, lines: [String]) {
    #expect(drawn(columns: 30, rows: rows) == lines)
  }

  @Test(arguments: [
    (
      29,
      [
        "C/N0 dBHz", "40 ▄ ▃   ▁   ▂", "20 █ █ ▆ █ ▅ █     █", "   █ █ █ █ █ █   ▅ █",
        "   G G g s E C j r R", "   2 5 2 3 1 2 2 7 8", "       9 3 1 3",
      ]
    ),
    (
      30,
      [
        "C/N0 dBHz", "40 ▄▄ ▃▃ 33 ▁▁ 30 ▂▂       36", "20 ██ ██ ▆▆ ██ ▅▅ ██    12 ██",
        "   ██ ██ ██ ██ ██ ██    ▅▅ ██", "   G  G  g  s  E  C  j  r  R",
        "   2  5  2  3  1  2  2  7  8", "         9  3  1  3",
      ]
    ),
    (
      38,
      [
        "C/N0 dBHz  upper case = used", "40 ▄▄ ▃▃ 33 ▁▁ 30 ▂▂       36",
        "20 ██ ██ ▆▆ ██ ▅▅ ██    12 ██", "   ██ ██ ██ ██ ██ ██    ▅▅ ██",
        "   G  G  g  s  E  C  j  r  R", "   2  5  2  3  1  2  2  7  8", "         9  3  1  3",
      ]
    ),
    (
      39,
      [
        "C/N0 dBHz  upper case = used", "   ▁▁  44      38      41          36",
        "40 ██  ██  33  ▄▄  30  ▆▆          ▂▂", "   ██  ██  ██  ██  ▆▆  ██      12  ██",
        "20 ██  ██  ██  ██  ██  ██      ▁▁  ██", "   ██  ██  ██  ██  ██  ██      ██  ██",
        "   G2  G5  g29 s33 E11 C23 j2  r7  R8",
      ]
    ),
  ])
  func `Bars are two wide and labels horizontal if there are enough columns`(
    columns: Int, lines: [String]
  ) {
    #expect(drawn(columns: columns, rows: 7) == lines)
  }

  @Test func `Bars stay in their area, with the number of omitted ones at its end`() {
    var canvas = Canvas(columns: 20, rows: 9)
    SignalBars(satellites: ViewSamples.satellites, showsUTF8: true)
      .draw(on: &canvas, in: Area(column: 2, row: 1, columns: 10, rows: 7))
    #expect(
      canvas.lines == [
        "", "  C/N0 dBH+2", "     ▁", "  40 ██ ▄ ▆▂", "     ████▆██", "  20 ███████",
        "     ███████",
        "     GGgsECR", "",
      ])
    #expect(
      canvas.styles.filter { $0.hasPrefix("1 ") || $0.hasPrefix("7 ") } == [
        "1 2..<12 faint", "7 5..<7 bold #87ff", "7 7..<8 #87ff", "7 8..<9 #878787",
        "7 9..<10 bold #9e73", "7 10..<11 bold #cc79a7", "7 11..<12 bold #d55e00",
      ])
  }

  @Test func `Unused satellites without a strength are left out first`() {
    let some = [nil, 1, nil, 2].enumerated().map { index, strength in
      Satellite(prn: index + 1, gnssID: index, svID: index + 1, signalStrength: strength)
    }
    #expect(drawn(some, columns: 6, rows: 7).last == "   gsc")
  }

  private func drawn(
    _ satellites: [Satellite] = ViewSamples.satellites, columns: Int, rows: Int = 10,
    showsUTF8: Bool = true
  ) -> [String] {
    var canvas = Canvas(columns: columns, rows: rows)
    SignalBars(satellites: satellites, showsUTF8: showsUTF8)
      .draw(on: &canvas, in: canvas.area)
    return canvas.lines
  }
}
