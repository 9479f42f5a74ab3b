/// Command lines to learn from.
enum Examples {
  static let all: [(command: String, purpose: String)] = [
    ("locwatch", "Watch the local gpsd."),
    ("locwatch -1 -t 60", "Print the position once, within a minute: latitude longitude height."),
    ("locwatch -j --no-events gps.example | jq .lat", "Follow another machine's receiver."),
    (
      "read -r lat lon alt < <(locwatch -1 --fix 3d --accuracy 20)",
      "Take a good position into a shell's variables."
    ),
    ("locwatch -f gpx > track.gpx", "Record a track; the file is valid at every instant."),
    ("locwatch -f '%time %lat %lon %speed' -i 10s", "Write lines of one's own, one in 10 seconds."),
    ("locwatch --record drive.jsonl", "Keep all that gpsd reports while watching."),
    ("locwatch --replay drive.jsonl -f csv > drive.csv", "Make a table of a recording."),
    ("locwatch /dev/ttyUSB0", "Read a serial receiver that no gpsd serves."),
  ]
}
