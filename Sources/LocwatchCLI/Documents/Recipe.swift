import LocwatchReceivers

/// A way to bring positions into another program: lines that a shell runs as they are.
struct Recipe: Sendable {
  /// The name of the program, which `make check-recipes` knows the recipe by.
  let name: String
  let purpose: String
  /// Lines to run once, before the others; empty if there is nothing to prepare.
  var preparation: [String] = []
  let lines: [String]
  /// What arrives, what does not, and how a lost position shows.
  let promise: String
  /// Whether it was checked against the format's rules, and not against the program.
  var isFormatOnly = false
}

extension Recipe {
  static let all = [
    mqtt, mqttBridge, homeAssistant, nats, postgres, influx, prometheus, traccar, openCPN,
    signalK, tak, gpsd, serialPort, direwolf, anchorAlarm,
  ]

  private static let mqtt = Recipe(
    name: "MQTT",
    purpose: "Publish to an MQTT broker such as mosquitto, in the format of OwnTracks.",
    lines: publish,
    promise:
      "With QoS 1 the broker has each fix that mosquitto_pub sent while it was connected. While "
      + "the broker is away, mosquitto_pub keeps what it reads, and sends it after connecting again. If "
      + "mosquitto_pub itself is killed, messages in flight are lost. The will tells subscribers that the "
      + "sender is gone, and locwatch's own lwt message that the position is gone. Subscribers get all of it if their session is "
      + "persistent and the broker stores it (persistence true).")

  private static let mqttBridge = Recipe(
    name: "MQTT bridge",
    purpose:
      "Collect the positions of vehicles that are often offline: each has a mosquitto of its own, which hands all on to "
      + "the hub when it can. This is /etc/mosquitto/conf.d/hub.conf of a vehicle, with a user and a password of its "
      + "own; the hub has a certificate for its name.",
    preparation: [
      "cat >hub.conf <<'END'", "autosave_on_changes true", "autosave_interval 10",
      "max_queued_messages 100000", "connection hub", "address hub.example:8883",
      "topic owntracks/# out 1", "cleansession false", "notifications false",
      "remote_clientid boat", "remote_username boat", "remote_password secret",
      "bridge_cafile /etc/ssl/certs/ca-certificates.crt", "END",
    ],
    lines: publish,
    promise:
      "While the hub is away, the vehicle keeps up to 100,000 messages, a day at one a second, and sends them "
      + "afterwards. After one of the brokers was killed, some can arrive twice, and up to ten that the vehicle's had "
      + "not written yet are lost. hub.conf contains the password, so only root and mosquitto may read it (mode 0640, "
      + "group mosquitto). On the hub, a password_file, and an acl_file with pattern write owntracks/%u/#, let each "
      + "vehicle publish as itself only.")

  /// What publishes to the broker of this machine.
  private static let publish = [
    "until locwatch -f owntracks --source boat |",
    "  mosquitto_pub -l -q 1 -h localhost -t owntracks/boat/gps \\",
    "    --will-topic owntracks/boat/gps --will-qos 1 \\",
    "    --will-payload \"{\\\"_type\\\":\\\"lwt\\\",\\\"tst\\\":$(date +%s)}\"",
    "do sleep 1; done",
  ]

  private static let homeAssistant = Recipe(
    name: "Home Assistant",
    purpose: "Show the position on Home Assistant's map, by MQTT discovery.",
    preparation: [
      "mosquitto_pub -r -q 1 -h localhost -t homeassistant/device_tracker/boat/config -m '{",
      "  \"name\":\"Boat\",\"unique_id\":\"locwatch_boat\",\"source_type\":\"gps\",",
      "  \"json_attributes_topic\":\"locwatch/boat\",",
      "  \"availability_topic\":\"locwatch/boat/status\"}'",
    ],
    lines: [
      "locwatch -j --events |",
      "  jq -r --unbuffered 'select(.type == \"state\") |",
      "    if .state[:3] == \"fix\" then \"online\" else \"offline\" end' |",
      "  mosquitto_pub -l -r -q 1 -h localhost -t locwatch/boat/status \\",
      "    --will-topic locwatch/boat/status --will-retain --will-payload offline &",
      "locwatch -j --no-events |",
      "  jq -c --unbuffered '{latitude: .lat, longitude: .lon, gps_accuracy: .accuracy} |",
      "    with_entries(select(.value != null))' |",
      "  mosquitto_pub -l -q 1 -h localhost -t locwatch/boat",
    ],
    promise:
      "The tracker is unavailable while there is no current position, and when the machine is "
      + "gone. Trackers with a state_topic end with release 2027.1; this one has none. In a van or on a boat, "
      + "an automation of Home Assistant moves the home zone with it: trigger mqtt, topic locwatch/boat; action "
      + "homeassistant.set_location, with {{ trigger.payload_json.latitude }} and the same of longitude."
  )

  private static let nats = Recipe(
    name: "NATS",
    purpose: "Publish to a subject of NATS, with bash alone.",
    lines: [
      "while sleep 1; do",
      "  exec 3<>/dev/tcp/localhost/4222 || continue",
      "  printf 'CONNECT {\"verbose\":false}\\r\\n' >&3",
      "  sed -u -n 's/^PING.*/PONG\\r/p' <&3 >&3 &",
      "  locwatch -j --source boat | (",
      "    LC_ALL=C",
      "    while IFS= read -r record; do",
      "      printf 'PUB gps.boat %d\\r\\n%s\\r\\n' ${#record} \"$record\"",
      "    done) >&3",
      "done",
    ],
    promise:
      "NATS delivers at most once: subscribers get what is published while they and the server are "
      + "there. When the server goes away, up to one record is lost on the way, and those until it is "
      + "back. When the fix is lost, a record of type state says so.")

  private static let postgres = Recipe(
    name: "PostgreSQL",
    purpose: "Store all records in PostgreSQL with PostGIS, and query places.",
    preparation: [
      "psql -q gps <<'END'",
      "CREATE EXTENSION IF NOT EXISTS postgis;",
      "CREATE TABLE IF NOT EXISTS records (",
      "  record jsonb NOT NULL,",
      "  source text GENERATED ALWAYS AS (record->>'source') STORED,",
      "  device text GENERATED ALWAYS AS (record->>'device') STORED,",
      "  state text GENERATED ALWAYS AS (record->>'state') STORED,",
      "  moment text GENERATED ALWAYS AS",
      "    (coalesce(record->>'time', record->>'received')) STORED,",
      "  place geography(Point) GENERATED ALWAYS AS (ST_MakePoint(",
      "    (record->>'lon')::float8, (record->>'lat')::float8)::geography) STORED,",
      "  UNIQUE NULLS NOT DISTINCT (source, device, state, moment));",
      "END",
    ],
    lines: [
      "until locwatch -j --source boat |",
      "  sed -u \"s/'/''/g; s/.*/INSERT INTO records VALUES ('&') ON CONFLICT DO NOTHING;/\" |",
      "  psql -q gps",
      "do sleep 1; done",
    ],
    promise:
      "Each record is a transaction of its own: what psql has written is kept. When the server is "
      + "killed, psql ends, and the loop begins again; the fixes in between are lost. The same with "
      + "--replay fills the gap from a recording, and records already stored are not duplicated. A "
      + "loss is a row with a state and no place.")

  private static let influx = Recipe(
    name: "InfluxDB",
    purpose: "Write points to InfluxDB 1.x.",
    preparation: ["curl -s -XPOST localhost:8086/query --data-urlencode 'q=CREATE DATABASE gps'"],
    lines: [
      "locwatch -f influx --source boat | while read -r point; do",
      "  until curl -sSf --data-binary \"$point\" 'localhost:8086/write?db=gps'; do sleep 1; done",
      "done",
    ],
    promise:
      "Each point is sent until the server takes it, and a point that is sent twice is one. While the "
      + "server is away, locwatch keeps 1,024 records, then drops fixes and counts them. A position is "
      + "current if last(state) begins with fix. By their documents, InfluxDB 2.x and 3 take the same points at "
      + "/api/v2/write?org=ORG&bucket=gps with -H 'Authorization: Token TOKEN', and Telegraf runs locwatch -f influx "
      + "by inputs.execd, with signal none and data_format influx; that was not tried.")

  private static let prometheus = Recipe(
    name: "Prometheus",
    purpose: "Export metrics through node_exporter's textfile collector.",
    lines: [
      "locwatch -f prometheus --source boat \\",
      "  -o /var/lib/prometheus/node-exporter/locwatch.prom",
    ],
    promise:
      "A scrape finds the latest fix of the last second. There are no series of a position while "
      + "none is current. To be told when locwatch itself was killed, alert on time() - "
      + "locwatch_fix_timestamp_seconds > 10.")

  private static let traccar = Recipe(
    name: "Traccar",
    purpose: "Send to Traccar, by its OwnTracks protocol.",
    lines: [
      "locwatch -f owntracks --source boat | while read -r message; do",
      "  until curl -sf -H 'Content-Type: application/json' \\",
      "    --data-binary \"$message\" http://localhost:5144/",
      "  do sleep 1; done",
      "done",
    ],
    promise:
      "Each message is sent until the server takes it. The identifier of the device is tid, the end "
      + "of the source's name: at.",
    isFormatOnly: true)

  private static let anchorAlarm = Recipe(
    name: "Anchor alarm",
    purpose:
      "Publish to an MQTT broker whether the boat is within 100 m of its anchor, as an alarm that a single fix does not ring.",
    lines: [
      "until locwatch -j --believed --region anchor=48.12223,11.51733,100,5s |",
      "  jq -c --unbuffered 'select(.type == \"region\") | {presence, lat, lon, time}' |",
      "  mosquitto_pub -l -r -q 1 -h localhost -t boat/anchor \\",
      "    --will-topic boat/anchor --will-retain --will-payload '{\"presence\":\"unknown\"}'",
      "do sleep 1; done",
    ],
    promise:
      "Ring at every presence that is not inside. It is outside once all fixes of 5 s are, each by its own accuracy, "
      + "and unknown after 30 s without a fix that is believed: a receiver that is jammed, frozen or "
      + "dragged off rings, and one wrong fix does not. The will says unknown if the sender is gone. Who drags the "
      + "position less than a metre per second is not noticed before the circle's edge. The place of the anchor, with "
      + "the boat above it: locwatch --once --average 1m."
  )

  private static let openCPN = Recipe(
    name: "OpenCPN",
    purpose: "Send NMEA 0183 to OpenCPN, or any plotter that listens on UDP port 10110.",
    lines: [
      "locwatch -f nmea | while read -r sentence; do",
      "  printf '%s\\n' \"$sentence\" >/dev/udp/localhost/10110",
      "done",
    ],
    promise:
      "Sentences are lost while nobody listens. A lost position is void (RMC has V), at once.",
    isFormatOnly: true)

  private static let signalK = Recipe(
    name: "Signal K",
    purpose:
      "Send deltas to a Signal K server: to its data connection of the type Signal K, source UDP, port 8375.",
    lines: [
      "locwatch -f signalk --source boat | while read -r delta; do",
      "  printf '%s\\n' \"$delta\" >/dev/udp/localhost/8375",
      "done",
    ],
    promise:
      "Deltas are lost while nobody listens. After a loss the position is null, at once.",
    isFormatOnly: true)

  private static let tak = Recipe(
    name: "TAK",
    purpose: "Send Cursor on Target events to a TAK server such as taky, with socat.",
    lines: [
      "while sleep 1; do",
      "  locwatch -j --no-events | jq -r --unbuffered 'select(.time) |",
      "    (.time[:19] + \"Z\" | fromdate + 10 | todate) as $stale |",
      "    \"<event version=\\\"2.0\\\" uid=\\\"locwatch-boat\\\" type=\\\"a-f-G-U-C\\\"\" +",
      "    \" how=\\\"m-g\\\" time=\\\"\\(.time)\\\" start=\\\"\\(.time)\\\" stale=\\\"\\($stale)\\\">\" +",
      "    \"<point lat=\\\"\\(.lat)\\\" lon=\\\"\\(.lon)\\\" hae=\\\"\\(.altHAE // 9999999)\\\"\" +",
      "    \" ce=\\\"\\(.accuracy // 9999999)\\\" le=\\\"\\(.epv // 9999999)\\\"/>\" +",
      "    \"<detail><contact callsign=\\\"boat\\\"/></detail></event>\"' |",
      "    socat STDIO TCP:localhost:8087 >/dev/null",
      "done",
    ],
    promise:
      "Each event is stale 10 s after its fix, so a lost position shows as that. Events are lost while the server is "
      + "away. Devices with ATAK on the same network need no server: put UDP-DATAGRAM:239.2.3.1:6969 in place of "
      + "TCP:localhost:8087. This is neither encrypted nor authenticated.")

  private static let serialPort = Recipe(
    name: "Serial port",
    purpose:
      "One receiver for several programs that open a serial port: /run/locwatch/gps0 stands for one, with any "
      + "speed (as root, with socat).",
    lines: port(named: "gps0"),
    promise:
      "locwatch runs while a program has the port open, so nothing old is read: each one that opens it begins with "
      + "the current fix. What a program writes there goes nowhere. The port is gone for a moment after a program has "
      + "closed it; run the loop once for each program, with a link of its own. The link stays while gpsd is away, and "
      + "a lost position is void (RMC has V), at once.")

  private static let direwolf = Recipe(
    name: "direwolf",
    purpose:
      "Send the position by APRS with direwolf 1.6, which reads a serial port of its own (as root, with socat).",
    preparation: [
      "cat >>direwolf.conf <<'END'", "GPSNMEA /run/locwatch/aprs",
      "TBEACON delay=0:30 every=5:00 symbol=car", "END",
    ],
    lines: port(named: "aprs"),
    promise:
      "Start direwolf after these lines, and again whenever they are started again. It opens no port whose path has "
      + "more than 19 characters. Each beacon has the current position, to a hundredth of a minute; while there is none, "
      + "there is no beacon.")

  /// A serial port at which programs read what locwatch writes.
  private static func port(named name: String) -> [String] {
    [
      "mkdir -p /run/locwatch",
      "while sleep 0.1; do",
      "  socat -t 0.1 PTY,link=/run/locwatch/\(name),rawer,wait-slave,pty-interval=0.1,\\",
      "mode=660,group=dialout SYSTEM:'locwatch -f nmea & cat >/dev/null; kill $!'",
      "done",
    ]
  }

  private static let gpsd = Recipe(
    name: "gpsd",
    purpose:
      "Serve the best of several receivers to programs that know only gpsd, such as cgps and chrony. "
      + "Another gpsd reads what locwatch sends: gpsd -n -S 2950 udp://127.0.0.1:10111, or, on port 2947, "
      + "Debian's with DEVICES=\"udp://127.0.0.1:10111\" in /etc/default/gpsd.",
    lines: [
      "locwatch -f nmea --best boat=localhost phone=tcp://phone:10110 |",
      "  while read -r sentence; do",
      "    printf '%s\\n' \"$sentence\" >/dev/udp/127.0.0.1/10111",
      "  done",
    ],
    promise:
      "Clients get each fix and each loss at once: position, heights, speed, course and satellites. They do "
      + "not get the receiver's name, or its errors: eph and epv are what gpsd estimates from the satellites, "
      + "metres also with RTK. Fixes are lost while this gpsd is away. While locwatch is away, clients stay "
      + "connected, and get nothing, not even a loss. chrony finds the time in refclock SHM 2, or SHM 0 if "
      + "root starts this gpsd; each gpsd needs a segment of its own. There are no pulses, and the time of a "
      + "replay is wrong.")
}
