// snippet: foundation
import Foundation
import LocationCore
import LocationFoundation

func caption(of fix: LocationFix) -> String {
  let date = fix.time.map { Date($0).formatted(.iso8601) } ?? "some time"
  let knots = fix.speedMeasurement?.converted(to: .knots).value.rounded()
  return "\(date): \(knots.map { "\($0) kn" } ?? "speed unknown")"
}
// end
