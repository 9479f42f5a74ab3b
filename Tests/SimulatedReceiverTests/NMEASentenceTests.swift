import SimulatedReceiver
import Testing

@Suite struct `NMEA sentences` {
  private let start = ReceiverTime(year: 2026, month: 11, day: 20, hour: 7, minute: 5, second: 9)

  private func text(_ kind: SentenceKind, of epoch: ReceiverEpoch) -> [String] {
    NMEASentence.sentences(kind, of: epoch).map(\.text)
  }

  private func epoch(_ reception: Reception, at place: Route = .standing) throws -> ReceiverEpoch {
    let scenario = Scenario(
      name: "", summary: "", start: start, route: place, phases: [Phase(1, reception)])
    return try #require(scenario.epoch(at: 0))
  }

  // The sentence and its checksum are the ones that the standard's readers quote everywhere.
  @Test func `end in the exclusive or of their bytes`() {
    let fields = "GPGLL,4916.45,N,12311.12,W,225444,A".split(separator: ",").map(String.init)
    #expect(NMEASentence(fields).text == "$GPGLL,4916.45,N,12311.12,W,225444,A*31")
  }

  @Test func `write a checksum below 16 with two digits`() {
    #expect(NMEASentence(["A", "m"]).text == "$A,m*00")
  }

  @Test(arguments: [
    (
      Reception.threeDimensional,
      [
        "$GPGGA,070509.000,4807.118000,N,01131.040000,E,1,09,0.90,545.400,M,46.900,M,,*69",
        "$GPGSA,A,3,05,13,15,20,24,29,02,12,18,,,,1.50,0.90,1.20*08",
        "$GPVTG,0.00,T,,M,0.000,N,0.000,K,A*3D",
        "$GPRMC,070509.000,A,4807.118000,N,01131.040000,E,0.000,0.00,201126,,,A*56",
      ]
    ),
    (
      .twoDimensional,
      [
        "$GPGGA,070509.000,4807.118000,N,01131.040000,E,1,03,2.40,,M,,M,,*57",
        "$GPGSA,A,2,05,13,15,,,,,,,,,,2.60,2.40,1.00*03",
        "$GPVTG,0.00,T,,M,0.000,N,0.000,K,A*3D",
        "$GPRMC,070509.000,A,4807.118000,N,01131.040000,E,0.000,0.00,201126,,,A*56",
      ]
    ),
    (
      .searching(inView: 2),
      [
        "$GPGGA,070509.000,,,,,0,00,99.99,,M,,M,,*5D",
        "$GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99*30",
        "$GPVTG,,T,,M,,N,,K,N*2C",
        "$GPRMC,070509.000,V,,,,,,,201126,,,N*40",
      ]
    ),
  ])
  func `say what the receiver knows`(reception: Reception, sentences: [String]) throws {
    let epoch = try epoch(reception)
    #expect([.gga, .gsa, .vtg, .rmc].flatMap { text($0, of: epoch) } == sentences)
  }

  @Test func `list thirteen satellites in four messages, the last with one`() throws {
    #expect(
      text(.gsv, of: try epoch(.threeDimensional)) == [
        "$GPGSV,4,1,13,05,74,201,46,13,61,088,44,15,48,295,43,20,41,130,41*7D",
        "$GPGSV,4,2,13,24,37,255,40,29,33,043,38,02,27,318,36,12,22,171,33*72",
        "$GPGSV,4,3,13,18,17,070,30,25,12,229,26,30,09,012,22,07,06,340,*71",
        "$GPGSV,4,4,13,10,03,104,*4C",
      ])
  }

  @Test(arguments: [(0, 1), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4)])
  func `list four satellites a message`(inView: Int, messages: Int) throws {
    let sentences = text(.gsv, of: try epoch(.searching(inView: inView)))
    #expect(sentences.count == messages)
    let counts = sentences.map { ($0.split(separator: "*")[0].filter { $0 == "," }.count - 3) / 4 }
    #expect(counts.reduce(0, +) == inView)
  }

  @Test(arguments: [
    (-33.8523, 151.2108, "3351.138000,S,15112.648000,E"),
    (0.0000001, -0.5, "0000.000006,N,00030.000000,W"),
    // Nearest to a whole degree: no minute may read 60.
    (9.9999999999, -179.9999999999, "1000.000000,N,18000.000000,W"),
  ])
  func `write degrees and minutes`(latitude: Double, longitude: Double, field: String) throws {
    let place = Route(latitude: latitude, longitude: longitude)
    let fields = text(.gga, of: try epoch(.threeDimensional, at: place))[0].split(separator: ",")
    #expect(fields[2...5].joined(separator: ",") == field)
  }
}
