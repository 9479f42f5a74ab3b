import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LocwatchReceivers

@Suite struct `Frames of RTCM 3` {
  /// RTCM 10403, annex: a message 1005 with its CRC, as gpsd and RTKLIB have it in their tests.
  private static let published: [UInt8] = [
    0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD, 0x62,
    0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
  ]

  @Test func `are those of the standard`() {
    var framer = RTCMFramer()
    #expect(framer.add(Self.published) == [Self.published])
    #expect(framer.skippedCount == 0)
  }

  @Test func `are found whole, wherever the stream is torn`() {
    let (first, second) = (RTCMFrame.numbered(1), RTCMFrame.numbered(2, length: 1023))
    let stream = Array("noise".utf8) + first + [0xD3, 0xD3] + second
    for cut in 0...stream.count {
      var framer = RTCMFramer()
      #expect(framer.add(stream[..<cut]) + framer.add(stream[cut...]) == [first, second])
      #expect(framer.skippedCount == 7)
    }
    #expect(second.count == RTCMFramer.maximumLength)
  }

  @Test func `are left out if a bit is wrong, and what follows is found`() {
    let (good, bad) = (RTCMFrame.numbered(1), RTCMFrame.numbered(2))
    for bit in 0..<bad.count * 8 {
      var damaged = bad
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      var framer = RTCMFramer()
      var frames = framer.add(damaged + good)
      // A length that is wrong may wait for bytes that belong to others.
      for _ in 0..<80 { frames += framer.add(good) }
      #expect(frames.allSatisfy { $0 == good } && frames.count > 70, "\(bit)")
      #expect(framer.skippedCount >= bad.count)
    }
  }

  /// Adds bytes in pieces, and returns the processor time that it took.
  private static func time(of noise: [UInt8], in framer: inout RTCMFramer) -> Int {
    func now() -> Int {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let start = now()
    for first in stride(from: 0, to: noise.count, by: 8192) {
      #expect(framer.add(noise[first..<min(first + 8192, noise.count)]) == [])
    }
    return now() - start
  }

  /// Fault 118.
  @Test func `take no longer to be found behind noise that looks like the longest of them`() {
    let noise = (0..<100_000).map { $0 % 2 == 0 ? 0xD3 : 0x03 as UInt8 }
    var (framer, other) = (RTCMFramer(), RTCMFramer())
    let plain = Self.time(of: Array(repeating: 0, count: noise.count), in: &other)
    // A CRC for each would take a hundred times as long.
    #expect(Self.time(of: noise, in: &framer) < 10 * plain)
    let good = RTCMFrame.numbered(1)
    let frames = (0..<80).flatMap { _ in framer.add(good) }
    #expect(frames.count == 80 && frames.allSatisfy { $0 == good })
    #expect(framer.skippedCount == noise.count)
  }

  @Test func `without a message are left out`() {
    var framer = RTCMFramer()
    #expect(framer.add(RTCMFrame.frame([]) + RTCMFrame.frame([1])) == [RTCMFrame.frame([1])])
    #expect(framer.skippedCount == 0)
  }

  @Test func `have six bits that are zero`() {
    var framer = RTCMFramer()
    #expect(framer.add([0xD3, 0x04, 0x00]) == [])
    // Nothing is waited for.
    #expect(framer.skippedCount == 3)
    #expect(framer.add(RTCMFrame.numbered(1)) == [RTCMFrame.numbered(1)])
    let damaged = RTCMFrame.numbered(1).dropLast() + [0]
    #expect(framer.add(damaged) == [] && framer.skippedCount == 3 + damaged.count)
  }
}

@Suite struct `A base station` {
  /// 48.1186333, 11.5173333 and 545.4 m above the ellipsoid, by GeographicLib's formulas.
  private static func frame(_ type: Int) -> [UInt8] {
    RTCMFrame.base(type, x: 4_179_849.0, y: 851_728.5, z: 4_726_103.0)
  }

  @Test(arguments: [1005, 1006])
  func `is where its frame says`(type: Int) throws {
    let station = try #require(BaseStation(frame: Self.frame(type)))
    #expect(station.number == 23)
    #expect(abs(station.coordinate.latitude - 48.12) < 0.05)
    #expect(abs(station.coordinate.longitude - 11.5173) < 0.001)
  }

  @Test(arguments: [
    (6_378_137.0, 0.0, 0.0, 0.0, 0.0), (0, 6_378_137, 0, 0, 90), (-6_378_137, 0, 0, 0, 180),
    (0, -6_378_137, 0, 0, -90), (0, 0, 6_356_752.3142, 90, 0), (0, 0, -6_356_752.3142, -90, 0),
    // 45 degrees and 1,000 m: N = 6,388,838.2901.
    (4_518_297.9857, 0, 4_488_055.5157, 45, 0),
  ])
  func `is on the ellipsoid of WGS 84`(
    x: Double, y: Double, z: Double, latitude: Double, longitude: Double
  ) throws {
    let coordinate = try #require(Coordinate(x: x, y: y, z: z))
    #expect(abs(coordinate.latitude - latitude) < 1e-9)
    #expect(abs(coordinate.longitude - longitude) < 1e-9)
    let frame = RTCMFrame.base(x: x, y: y, z: z)
    #expect(abs((BaseStation(frame: frame)?.coordinate.latitude ?? 0) - latitude) < 1e-8)
  }

  @Test func `is nowhere else`() {
    #expect(BaseStation(frame: RTCMFrame.base(x: 0, y: 0, z: 0)) == nil)
    #expect(BaseStation(frame: RTCMFrame.base(x: 6_479_000, y: 0, z: 0)) == nil)
    #expect(BaseStation(frame: RTCMFrame.base(x: 6_278_000, y: 0, z: 0)) == nil)
    #expect(BaseStation(frame: RTCMFrame.base(x: 6_478_136.9, y: 0, z: 0)) != nil)
    #expect(BaseStation(frame: RTCMFrame.base(x: 6_478_137, y: 0, z: 0)) == nil)
    #expect(BaseStation(frame: RTCMFrame.base(1007, x: 6_378_137, y: 0, z: 0)) == nil)
    #expect(BaseStation(frame: RTCMFrame.frame([0x3E, 0xD0])) == nil)
    #expect(BaseStation(frame: []) == nil)
  }
}
