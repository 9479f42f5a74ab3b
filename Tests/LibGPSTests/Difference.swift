/// Where libgps differs, seen with 3.22, and why ours is right. Each holds for exactly what was seen,
/// so that a release which puts it right agrees.
enum Difference {
  /// `nil` where there is no reason.
  ///
  /// - Parameter pairs: All fields of the report.
  static func reason(_ pair: FieldPair, among pairs: [FieldPair]) -> String? {
    func ours(_ name: String) -> String? { pairs.first { $0.name == name }?.ours }
    func theirs(_ name: String) -> String? { pairs.first { $0.name == name }?.theirs }
    return switch pair.name {
    case "velN", "velE",
      "velD" where pair.theirs == "0.0 0":
      "libgps never sets it: it reads the velocity into the relative position"
    case "relN" where pair.theirs == ours("velN"), "relE" where pair.theirs == ours("velE"),
      "relD" where pair.theirs == ours("velD"):
      "libgps reads the velocity here"
    case "ecefpAcc" where pair.theirs == ours("ecefvAcc"),
      "ecefvAcc" where pair.theirs == ours("ecefpAcc"):
      "libgps has the two names the wrong way round"
    case "magvar" where theirs("magvar")?.hasPrefix("999.9 ") == true,
      "magtrack" where theirs("magvar")?.hasPrefix("999.9 ") == true:
      "gpsd 3.25 writes 999.9 for an unknown variation, and adds it to the course"
    case "ss" where pair.theirs.hasPrefix("-1.0 ") || pair.theirs.hasPrefix("255.0 "):
      "by gps.h a strength is 0 to 254: the number stands for \"not available\""
    case "heading" where number(of: pair) > 360:
      "no direction has as many degrees: gpsd passes on the raw number of a compass"
    case "stopbits" where pair.ours == "0" && pair.theirs == "3",
      "parity" where pair.ours == "0" && pair.theirs == "88":
      "libgps has a number of its own for \"unknown\""
    default: nil
    }
  }

  /// The number that libgps has, without its bits.
  private static func number(of pair: FieldPair) -> Double {
    pair.theirs.split(separator: " ").first.flatMap { Double($0) } ?? .nan
  }
}
