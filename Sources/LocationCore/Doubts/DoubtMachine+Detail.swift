extension DoubtMachine {
  /// Why the position is doubted, as a short text for people: of the first of some doubts that has more to
  /// say than its name. `nil` if none has.
  package func detail(of doubts: DoubtSet) -> String? {
    doubts.doubts.lazy.compactMap(detail).first
  }

  /// Nothing is known of what only the provider has seen.
  private func detail(of doubt: Doubt) -> String? {
    switch doubt {
    case .jump: jump.gap.map(text)
    case .frozen where frozen.isDoubted:
      "the same for \(seconds(frozen.elapsed)), while it reported \(tenths(frozen.speed)) m/s"
    case .height: height.gap.map { "\(tenths(abs($0))) m \($0 < 0 ? "down" : "up")" }
    case .sky: sky.fault.map(text)
    case .time where time.isOff:
      "\(tenths(abs(time.offset))) s \(time.offset < 0 ? "behind" : "ahead of") this machine's clock"
    case .time:
      time.stray.error.map {
        "\(whole(abs($0) / 86_400)) days \($0 < 0 ? "before" : "after") the dates before it"
      }
    case .interference where interference.isDoubted: "\(interference.level) of 255"
    case .estimated where quality.isEstimated: "for \(seconds(quality.estimated))"
    case .claim: claims.claim.map(text)
    case .frozen, .interference, .estimated, .simulated, .stored, .zero: nil
    }
  }

  private func text(of gap: PositionTrack.Gap) -> String {
    let way =
      gap.distance < 1000 ? "\(whole(gap.distance)) m" : "\(tenths(gap.distance / 1000)) km"
    let speed = gap.speed.map { ", while it reported \(tenths($0)) m/s" } ?? ""
    return "\(way) in \(seconds(gap.elapsed))\(speed)"
  }

  private func text(of claim: ClaimDoubt.Claim) -> String {
    switch claim {
    case .speed(let speed): "a speed of \(tenths(speed / 1000)) km/s"
    case .error(let error): "an error of \(tenths(error / 1000)) km"
    }
  }

  private func text(of fault: SkyDoubt.Fault) -> String {
    switch fault {
    case .belowHorizon: "satellites in use are below the horizon"
    case .noSignal: "satellites in use have no signal"
    case .alike: "the signals of all satellites are equally strong"
    case .rise: "the signals of all satellites rose at once"
    }
  }

  private func seconds(_ count: Double) -> String {
    let text = tenths(count)
    return count < 10 && !text.hasSuffix(".0") ? "\(text) s" : "\(whole(count)) s"
  }

  private func whole(_ number: Double) -> String {
    Int64(exactly: number.rounded()).map(String.init) ?? "\(number)"
  }

  private func tenths(_ number: Double) -> String {
    "\((min(number, 1e15) * 10).rounded() / 10)"
  }
}
