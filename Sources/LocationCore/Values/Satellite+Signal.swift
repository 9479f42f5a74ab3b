extension Satellite {
  /// What tells the satellite from others, whatever the signal.
  package var id: SatelliteID { SatelliteID(prn: prn, gnssID: gnssID, svID: svID) }

  /// The name of the signal, such as `L1 C/A` or `E5a Q`; its number if it has no name here, `nil`
  /// if the signal is unknown.
  public var signalName: String? {
    sigID.map { sigID in
      gnssID.flatMap { Self.signalNames[$0]?[sigID] } ?? String(sigID)
    }
  }

  /// The names of signals, by constellation and signal as numbered by u-blox.
  private static let signalNames: [Int: [Int: String]] = [
    0: [0: "L1 C/A", 3: "L2 CL", 4: "L2 CM", 6: "L5 I", 7: "L5 Q"],
    1: [0: "L1 C/A"],
    2: [
      0: "E1 C", 1: "E1 B", 3: "E5a I", 4: "E5a Q", 5: "E5b I", 6: "E5b Q", 8: "E6 B", 9: "E6 C",
      10: "E6 A",
    ],
    3: [
      0: "B1I D1", 1: "B1I D2", 2: "B2I D1", 3: "B2I D2", 4: "B3I D1", 5: "B1C p", 6: "B1C d",
      7: "B2a p", 8: "B2a d", 10: "B3I D2",
    ],
    5: [0: "L1 C/A", 1: "L1S", 4: "L2 CM", 5: "L2 CL", 8: "L5 I", 9: "L5 Q", 12: "L1 C/B"],
    6: [0: "L1 OF", 2: "L2 OF"],
    7: [0: "L5 A"],
  ]
}
