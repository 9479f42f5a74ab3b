package import LocationCore

/// Text for pipes: one line a record, words apart by spaces, no control codes.
///
/// A fix is `TIME fix-3d LAT LON HEIGHT`, the height above mean sea level; from the moment on that
/// there are several receivers, its receiver's path comes last. A transition is
/// `TIME STATE DEVICE WORDS`. `-` stands for what is unknown where a word follows.
package struct TextRenderer: Renderer {
  private let isAlone: Bool
  private let events: Options.EventChoice
  private let coordinates: CoordinateStyle
  private let units: UnitSystem
  private let showsSatellites: Bool
  private let usesColor: Bool
  private var skies = SkyMemory()
  private var onlyDevice: String?
  private var hasSeveralDevices = false

  /// - Parameters:
  ///   - isAlone: Whether to write positions alone, and no transitions.
  ///   - usesColor: Whether to colour the states; the only control codes there are.
  package init(
    isAlone: Bool = false, events: Options.EventChoice = .all,
    coordinates: CoordinateStyle = .decimal, units: UnitSystem = .metric,
    showsSatellites: Bool = false, usesColor: Bool = false
  ) {
    self.isAlone = isAlone
    self.events = isAlone ? .fixesOnly : events
    self.coordinates = coordinates
    self.units = units
    self.showsSatellites = showsSatellites
    self.usesColor = usesColor
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    note(device: fix.device)
    guard events != .transitionsOnly else { return }
    if !isAlone {
      output.append(stampOf: fix)
      output.append(character: " ")
      output.append(fix.mode == .threeD ? .fix3D : .fix2D, inColor: usesColor)
      output.append(character: " ")
    }
    output.append(fix.coordinate, style: coordinates)
    let showsDevice = hasSeveralDevices && !isAlone
    if fix.mode == .threeD, let height = fix.altMSL {
      output.append(character: " ")
      output.append(height: height, in: units)
    } else if showsDevice {
      output.append(text: " -")
    }
    if showsDevice {
      output.append(character: " ")
      output.append(deviceOrDash: fix.device)
    }
    if !isAlone { output.append(remarksOn: fix) }
    output.append(character: "\n")
    if showsSatellites, let satellites = skies.satellites(of: fix.device) {
      output.append(tableOf: satellites)
    }
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    if let device = change.device { note(device: device) }
    skies.update(after: change)
    guard events != .fixesOnly else { return }
    output.append(stampOf: change)
    output.append(character: " ")
    output.append(change.state, inColor: usesColor)
    output.append(detailsOf: change, coordinates: coordinates)
    output.append(character: "\n")
  }

  package mutating func receivers(_ present: [Receiver]) {
    for receiver in present { note(device: receiver.path) }
  }

  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {
    if showsSatellites { skies.remember(sky) }
  }

  private mutating func note(device: String) {
    if device.isEmpty || hasSeveralDevices || onlyDevice == device { return }
    hasSeveralDevices = onlyDevice != nil
    onlyDevice = device
  }
}
