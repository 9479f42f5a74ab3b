import GPSDLocation
import LocationCore
import Testing

/// The numbers of a recording that the quantity cannot be, as a program gets them.
@Suite struct `An impossible number in a recording` {
  /// Numbers that no quantity can be; the last two are infinite as a `Double`.
  private static let impossible = ["1e300", "-1e300", "1e15", "1e999", "-1e999"]

  /// The fix of a recording whose only report has one number besides its position.
  private func fix(_ quantity: LocationFix.Quantity, _ number: String) async throws -> LocationFix {
    let tpv =
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T07:05:01.000Z","#
      + #""lat":47.37,"lon":8.54,"\#(quantity)":\#(number)}"#
    let source = GPSDLocationSource.recorded(lines: [#"{"class":"LOCWATCH","t":1.000}"#, tpv])
    return try await source.currentLocation()
  }

  /// The estimated errors and dilutions, the speed and others that are magnitudes.
  @Test(arguments: [
    LocationFix.Quantity.eph, .epx, .epy, .epv, .ept, .eps, .epd, .epc, .sep, .hdop, .vdop, .pdop,
    .speed, .track, .dgpsAge, .errEllMaj, .errEllMin, .ecefpAcc, .ecefvAcc,
  ])
  func `is unknown where it is negative and the quantity cannot be`(
    quantity: LocationFix.Quantity
  ) async throws {
    #expect(try await fix(quantity, "-1.5") == Lines.fix(1))
  }

  @Test(arguments: [LocationFix.Quantity.altHAE, .altMSL, .climb, .velD, .magvar, .depth])
  func `is possible where the quantity has a sign`(quantity: LocationFix.Quantity) async throws {
    #expect(try await fix(quantity, "-1.5")[quantity] == -1.5)
  }

  @Test(arguments: LocationFix.Quantity.allCases)
  func `is unknown where it is huge or infinite`(
    quantity: LocationFix.Quantity
  ) async throws {
    for number in Self.impossible {
      #expect(try await fix(quantity, number)[quantity] == nil, "\(number)")
    }
  }

  @Test(arguments: ["nan", "-nan", "inf", "NaN", "Infinity", "-Infinity"])
  func `makes a line malformed where it is none in JSON`(number: String) async {
    let error = await #expect(throws: LocationError.self) { try await fix(.eph, number) }
    #expect(error?.code == .disconnected)
  }
}
