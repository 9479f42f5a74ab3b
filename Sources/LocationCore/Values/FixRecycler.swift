/// Makes fixes without asking for memory each time: the last one is used again as soon as nobody else
/// holds it.
package struct FixRecycler: Sendable {
  private var last: LocationFix?

  package init() {}

  package mutating func fix(_ values: FixValues) -> LocationFix {
    if last == nil {
      last = LocationFix(values)
    } else {
      last?.values = values
    }
    return last ?? LocationFix(values)
  }
}
