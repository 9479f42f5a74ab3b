import Foundation
import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationCore

@Suite(.virtualTime) struct `Regions come and go` {
  private static let center = Coordinate(latitude: 47.37, longitude: 8.54)!
  private static let home = Region.circle("home", around: center, radius: 100)
  private static let town = Region.circle("town", around: center, radius: 5000)

  private static func fix(_ distance: Double) -> LocationFix {
    let place = center.moved(by: distance, bearing: 90)
    return .at(latitude: place.latitude, longitude: place.longitude)
  }

  private static func events(
    _ monitor: inout RegionMonitor, _ distance: Double, at second: Int
  ) -> [String] {
    monitor.handle(fix(distance), at: Moment(uptime: .seconds(second))).map {
      "\($0.region.id) \($0.previous) > \($0.presence)"
    }
  }

  private static func restarted(_ monitor: RegionMonitor) throws -> RegionMonitor {
    try JSONDecoder().decode(RegionMonitor.self, from: JSONEncoder().encode(monitor))
  }

  @Test func `a region that is added is decided by the next fix, and one that is removed by none`()
  {
    var monitor = RegionMonitor([Self.home])
    #expect(Self.events(&monitor, 1000, at: 0) == ["home unknown > outside"])
    monitor.add(Self.town)
    #expect(monitor.presence(in: "town") == .unknown)
    #expect(Self.events(&monitor, 1000, at: 1) == ["town unknown > inside"])
    #expect(monitor.remove("home") == Self.home)
    #expect(monitor.remove("home") == nil)
    #expect(monitor.regions == [Self.town])
    #expect(Self.events(&monitor, 0, at: 2) == [])
    #expect(monitor.presence(in: "home") == .unknown)
  }

  @Test func `a region replaces the one with its ID`() {
    var monitor = RegionMonitor([Self.home, Self.town], dwell: .zero)
    #expect(Self.events(&monitor, 1000, at: 0).count == 2)
    let larger = Region.circle("home", around: Self.center, radius: 2000)
    monitor.add(larger)
    #expect(monitor.regions == [larger, Self.town])
    #expect(Self.events(&monitor, 1000, at: 1) == ["home unknown > inside"])
  }

  @Test func `where a receiver is taken to be is reported only if it is wrong, after the dwell`() {
    var monitor = RegionMonitor([])
    monitor.add(Self.home, assuming: .inside)
    monitor.add(Self.town, assuming: .outside, dwell: .zero)
    #expect(Self.events(&monitor, 0, at: 0) == ["town outside > inside"])
    #expect(monitor.presence(in: "home") == .inside)
    var other = RegionMonitor([], dwell: .seconds(2))
    other.add(Self.home, assuming: .inside)
    #expect(Self.events(&other, 500, at: 0) == [])
    #expect(Self.events(&other, 500, at: 2) == ["home inside > outside"])
  }

  @Test func `after a restart only what has changed is reported`() throws {
    var monitor = RegionMonitor([Self.home, Self.town], dwell: .seconds(2))
    #expect(Self.events(&monitor, 0, at: 1000).count == 2)
    var stayed = try Self.restarted(monitor)
    #expect(stayed.regions == [Self.home, Self.town])
    #expect(stayed.deadline == nil)
    #expect(stayed.presence(in: "home") == .unknown)
    #expect(Self.events(&stayed, 10, at: 3) == [])
    #expect(stayed.presence(in: "home") == .inside)
    var left = try Self.restarted(monitor)
    #expect(Self.events(&left, 1000, at: 3) == [])
    #expect(Self.events(&left, 1000, at: 5) == ["home inside > outside"])
    // No fix for the grace period: the presence is unknown again.
    #expect(
      stayed.expire(at: Moment(uptime: .seconds(68))).map(\.presence) == [.unknown, .unknown])
    var unknown = try Self.restarted(stayed)
    #expect(Self.events(&unknown, 0, at: 0).count == 2)
  }

  @Test func `its settings are kept over a restart`() throws {
    var monitor = RegionMonitor(
      [Self.home], maximumAccuracy: 7.5, grace: .seconds(90), dwell: .milliseconds(1500),
      staleAfter: .seconds(600))
    monitor.add(Self.town, dwell: .seconds(60))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(try Self.restarted(monitor)), as: UTF8.self)
        == #"{"dwell":1.5,"grace":90,"maximumAccuracy":7.5,"regions":["#
        + #"{"region":{"center":{"lat":47.37,"lon":8.54},"id":"home","radius":100}},"#
        + #"{"dwell":60,"region":{"center":{"lat":47.37,"lon":8.54},"id":"town","radius":5000}}],"staleAfter":600}"#
    )
    let plain = try JSONDecoder().decode(RegionMonitor.self, from: Data(#"{"regions":[]}"#.utf8))
    #expect(
      String(decoding: try encoder.encode(plain), as: UTF8.self)
        == #"{"dwell":5,"grace":30,"maximumAccuracy":100,"regions":[]}"#)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RegionMonitor.self, from: Data("{}".utf8))
    }
  }

  @Test func `that was decoded can be encoded, whatever its accuracy was`() throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    func again(_ accuracy: String) throws -> Double {
      let text = #"{"regions":[],"maximumAccuracy":"\#(accuracy)"}"#
      let monitor = try decoder.decode(RegionMonitor.self, from: Data(text.utf8))
      return try Self.restarted(monitor).maximumAccuracy
    }
    #expect(try again("inf") == .greatestFiniteMagnitude)
    #expect(throws: DecodingError.self) { try again("nan") }
    #expect(throws: DecodingError.self) { try again("-inf") }
    let most = Double.greatestFiniteMagnitude
    for (accuracy, kept) in [(Double.nan, 0), (.infinity, most), (-1, 0), (7, 7)] {
      let monitor = RegionMonitor([Self.home], maximumAccuracy: accuracy)
      #expect(try Self.restarted(monitor).maximumAccuracy == kept)
    }
  }
}
