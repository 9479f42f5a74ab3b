import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct TextRendererTests {
  @Test func `A satellite has one line for all of its signals`() {
    var renderer = TextRenderer(positionOnly: true, showsSatellites: true)
    _ = renderer.sky(
      SkyView(
        device: Samples.device,
        satellites: [
          Satellite(prn: 5, gnssID: 0, svID: 5, sigID: 0, elevation: 45, signalStrength: 38),
          Satellite(prn: 7, gnssID: 0, svID: 7, sigID: 0, signalStrength: 20),
          Satellite(prn: 5, gnssID: 0, svID: 5, sigID: 7, signalStrength: 41, isUsed: true),
          Satellite(prn: 305, gnssID: 2, svID: 5, sigID: 17, isUsed: true),
        ]))
    #expect(
      renderer.fix(Samples.flat) == """
        -0.5 -71.0
          sat  system   id    el     az    ss  signals
          used GPS       5  45.0      -  41.0  L1 C/A, L5 Q
          used Galileo   5     -      -     -  17
          seen GPS       7     -      -  20.0  L1 C/A

        """)
  }

  @Test func `Hostile text stays visible and does nothing`() {
    var renderer = TextRenderer()
    let change = StateChange(
      .noService, reason: Samples.hostile + String(repeating: "x", count: 500),
      at: Samples.moment(nil))
    let reason =
      #"=cmd|\u{1b}[2J\u{9b}\u{202e}\u{2028}"</name>&'\u{a},\"#
      + String(repeating: "x", count: 128 - Samples.hostile.unicodeScalars.count) + "..."
    #expect(renderer.state(change) == "- no-daemon - \(reason)\n")
  }
}
