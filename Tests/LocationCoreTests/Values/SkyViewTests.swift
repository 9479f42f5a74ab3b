import LocationCore
import Testing

@Suite struct `A sky view` {
  private let satellites = [
    Satellite(prn: 1, signalStrength: 30, isUsed: true), Satellite(prn: 2, signalStrength: 42),
    Satellite(prn: 3, isUsed: true),
  ]

  @Test func `counts its list where nobody else has`() {
    let sky = SkyView(satellites: satellites)
    #expect(sky.seen == 3 && sky.used == 2)
    #expect(sky.strongest == 42)
  }

  @Test func `keeps the counts that it is given`() {
    let sky = SkyView(satellites: satellites, seen: 12, used: 8)
    #expect(sky.seen == 12 && sky.used == 8)
  }

  @Test func `without a list and counts knows none`() {
    let sky = SkyView()
    #expect(sky.seen == nil && sky.used == nil && sky.strongest == nil)
  }
}
