package import LocationCore

/// Whether the fixes of several sources that were merged come from the source that was announced. The
/// separation of the geoid is the number of the source.
package struct MergedFixCheck {
  private let names: [String]
  private var selected: String?
  package private(set) var fixes = 0

  package init(names: [String]) { self.names = names }

  package mutating func complaint(about update: LocationUpdate) -> String? {
    switch update {
    case .change(let change):
      guard case .selected(let name, let previous) = change.kind else { return nil }
      guard names.contains(name), previous == selected, name != selected else {
        return "\(name) is selected after \(previous ?? "none"), which is not \(selected ?? "none")"
      }
      selected = name
    case .fix(let fix):
      fixes += 1
      guard let selected else { return "a fix before a source is selected" }
      guard fix.device == nil else { return "a fix of \(fix.device ?? "")" }
      guard let number = fix[.geoidSep] else { return nil }
      guard names.indices.contains(Int(number)), names[Int(number)] == selected else {
        return "a fix of \(number) while \(selected) is selected"
      }
    case .state, .retry, .event: break
    }
    return nil
  }
}
