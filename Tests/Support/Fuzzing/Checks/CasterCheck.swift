package import LocwatchReceivers
import TestSupport

/// What must hold of all that follows from the answer of a caster.
package enum CasterCheck {
  /// - Parameters:
  ///   - whole: What follows from the answer at once, and from its end.
  ///   - torn: What follows from its pieces.
  ///   - sent: The frames that were sent; `nil` if they are not known.
  /// - Returns: What is wrong; `nil` if nothing is.
  package static func complaint(
    about whole: [NTRIPExchange.Event], torn: [NTRIPExchange.Event], sent: [[UInt8]]?
  ) -> String? {
    if whole != torn { return "in pieces it is \(torn), and not \(whole)" }
    var frames: [[UInt8]] = []
    for event in whole.dropLast() {
      guard case .frame(let frame) = event else { return "\(event) is not the end" }
      frames.append(frame)
    }
    switch whole.last {
    case .table, .failed: break
    case .frame, nil: return "it has no end"
    }
    for frame in frames where RTCMFrame.frame(Array(frame.dropFirst(3).dropLast(3))) != frame {
      return "\(frame) is not a whole frame"
    }
    guard let sent, sent != frames else { return nil }
    return "\(frames.count) of \(sent.count) frames came: \(frames)"
  }
}
