import Foundation

/// Reports of gpsd that are written as their class, and as the members that differ from those of a usual report.
enum ShortReport {
  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

  /// - Parameter device: The only receiver that is watched; `nil` for all.
  static func watch(_ device: Substring? = nil) -> String {
    #"{"class":"WATCH","enable":true,"json":true"#
      + (device.map { #","device":"\#($0)""# } ?? "") + "}"
  }

  /// The list of receivers that gpsd has open, and has recognised.
  static func devices(_ paths: [Substring]) -> String {
    let devices = paths.map {
      #"{"class":"DEVICE","path":"\#($0)","driver":"NMEA0183","activated":"\#(TimedLine.start)","#
        + #""flags":1,"native":0,"bps":9600,"parity":"N","stopbits":1,"cycle":1.00}"#
    }
    return #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))]}"#
  }

  /// Returns the receiver that a report names; `nil` if it names none.
  static func device(of report: String) -> Substring? {
    report.split(separator: #""device":""#, maxSplits: 1).dropFirst().first?.prefix { $0 != "\"" }
  }

  /// Returns the JSON of a report such as `TPV lat=48`. Anything else is returned as it is.
  ///
  /// - Parameter moment: In milliseconds.
  static func text(_ words: Substring, at moment: Int) -> String {
    var pairs = words.split(separator: " ")
    let name = pairs.removeFirst()
    switch name {
    case "VERSION": return version
    case "WATCH": return watch()
    case "DEVICES": return devices(pairs)
    default: break
    }
    guard !name.hasPrefix("SIG"), name.allSatisfy({ $0.isUppercase || $0 == "_" }),
      pairs.allSatisfy({ $0.contains("=") })
    else { return String(words) }
    var members = Members()
    if name == "TPV" || name == "SKY" { members["device"] = #""/dev/a""# }
    if name == "TPV" { members.addUsual(at: moment, mode: pairs.first { $0.hasPrefix("mode=") }) }
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1)
      members.set(String(parts[0]), parts.count > 1 ? parts[1] : "", at: moment)
    }
    return members.report(of: name)
  }

  /// The members of a report in their order, each with its JSON.
  private struct Members {
    private var all: [(name: String, json: String)] = []

    subscript(name: String) -> String? {
      get { all.first { $0.name == name }?.json }
      set {
        let index = all.firstIndex { $0.name == name }
        switch (index, newValue) {
        case (let index?, let json?): all[index].json = json
        case (let index?, nil): all.remove(at: index)
        case (nil, let json?): all.append((name, json))
        case (nil, nil): break
        }
      }
    }

    func report(of name: Substring) -> String {
      #"{"class":"\#(name)""# + all.map { #","\#($0.name)":\#($0.json)"# }.joined() + "}"
    }

    /// - Parameter mode: A pair; `nil` for a fix with a height.
    mutating func addUsual(at moment: Int, mode: Substring?) {
      self["mode"] = "3"
      self["time"] = "\"\(TimedLine.time(moment))\""
      if mode == "mode=0" || mode == "mode=1" { return }
      let ofHeight = ["altHAE", "altMSL", "climb", "epv"]
      let usual: KeyValuePairs = [
        "lat": "48.5", "lon": "11.25", "altHAE": "592", "altMSL": "545", "speed": "1",
        "track": "84", "climb": "0", "epx": "14", "epy": "20", "eph": "20", "epv": "48",
      ]
      for (name, json) in usual where mode != "mode=2" || !ofHeight.contains(name) {
        self[name] = json
      }
    }

    /// Sets a member to a value: `-` for none, a number that may contain the moment, JSON, or a text.
    mutating func set(_ name: String, _ value: Substring, at moment: Int) {
      let number = Self.number(value, at: Double(moment) / 1000)
      switch (name, number) {
      case _ where value == "-": self[name] = nil
      case ("time", let seconds?):
        self[name] = "\"\(TimedLine.time(Int((seconds * 1000).rounded())))\""
      case ("north", let metres?): self["lat"] = Self.text(48.5 + metres / 111_195)
      case (_, let number?): self[name] = value.contains("t") ? Self.text(number) : String(value)
      case (_, nil):
        let isJSON = value == "true" || value == "false" || value.first.map("[{\"".contains) == true
        self[name] = isJSON ? String(value) : "\"\(value)\""
      }
    }

    /// Reads `5`, `t`, `5*t`, `100-t` or `100-5*t`, where `t` is the moment in seconds.
    private static func number(_ text: Substring, at second: Double) -> Double? {
      guard text.hasSuffix("t") else { return Double(text) }
      var term = text.dropLast()
      if term.last == "*" { term.removeLast() } else { term += "1" }
      if let factor = Double(term) { return factor * second }
      guard let sign = term.lastIndex(where: { "+-".contains($0) }),
        let base = Double(term[..<sign]),
        let factor = Double(term[sign...])
      else { return nil }
      return base + factor * second
    }

    private static func text(_ number: Double) -> String { "\((number * 1e9).rounded() / 1e9)" }
  }
}
