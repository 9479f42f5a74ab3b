import LocationTestKit
import LocwatchCLI
import LocwatchReceivers

/// Answers of casters, as they should be or damaged: in whatever pieces one comes, it gives the same frames and
/// the same end, and each frame that was sent, if nothing is damaged.
package struct CasterTarget: FuzzTarget {
  private static let answers = 400

  package init() {}

  package func round(seed: UInt64, into tally: inout FuzzTally) async throws -> String? {
    var random = SeededRandom(seed: seed)
    for number in 0..<Self.answers {
      var caster = FuzzCaster(&random)
      let isDamaged = random.happens(onceIn: 2)
      if isDamaged { caster.damage(&random) }
      let request = random.pick([NTRIPExchange.Request.corrections, .corrections, .table])
      let whole = Self.events(of: request, [caster.bytes])
      let torn = Self.events(of: request, random.pieces(of: caster.bytes))
      let isKnown = !isDamaged && request == .corrections
      if let complaint = CasterCheck.complaint(
        about: whole, torn: torn, sent: isKnown ? caster.frames : nil)
      {
        return "answer \(number): \(complaint)\n\(caster.bytes)"
      }
      tally.lines += 1
      tally.checks += whole.count
    }
    return nil
  }

  private static func events(
    of request: NTRIPExchange.Request, _ pieces: [[UInt8]]
  ) -> [NTRIPExchange.Event] {
    let address = CasterAddress(host: "caster.example", port: 2101, mount: "NEAR")
    var exchange = NTRIPExchange(request, from: address, as: nil)
    return pieces.flatMap { exchange.receive($0) } + exchange.close()
  }
}
