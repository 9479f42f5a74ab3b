/// Which records are written: fixes, transitions, or both.
package enum EventChoice: Equatable, Sendable {
  case all
  case transitionsOnly
  case fixesOnly
}
