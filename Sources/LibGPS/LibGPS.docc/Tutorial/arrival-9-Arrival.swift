import Alarm
import LibGPS

@main
struct Arrival {
  static func main() async throws {
    let provider: any LocationProvider
    if let recording = CommandLine.arguments.dropFirst().first {
      provider = GPSDLocationSource(replaying: try RecordedSession(contentsOf: recording))
    } else {
      provider = GPSDLocationSource()
    }
    let place = Coordinate(latitude: 48.122, longitude: 11.519)!
    let alarm = ArrivalAlarm(at: place, radius: 50, provider: provider)
    if let fix = try await alarm.arrival() {
      print("Arrived at \(fix.coordinate)")
    } else {
      print("Not arrived")
    }
  }
}
