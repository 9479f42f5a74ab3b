import LocationCore
import LocwatchSystem

extension Check {
  static let replug = Check(
    "replug",
    "gpsd still has an unplugged device open, so it does not read the one that is there."
  ) { examination in
    guard let machine = examination.machine, !examination.isOfTTY || examination.isShared else {
      return nil
    }
    for daemon in examination.daemons {
      for gone in machine.unpluggedDevices(of: daemon.id) {
        guard let path = examination.successor(of: gone, unreadBy: daemon) else { continue }
        let place = path == gone ? "the one that is there" : path
        let isConfigured = examination.configured.contains { machine.realPath(of: $0) == path }
        let adding: [ShellText] =
          isConfigured
          ? [] : SerialPath(path, on: machine).map { ["sudo gpsdctl add \($0)"] } ?? []
        return .wrong(
          "gpsd still has an unplugged \(gone) open, and reads nothing from \(place)",
          "Restart gpsd:",
          run: examination.restart.map { $0 + adding })
      }
    }
    return nil
  }
}

extension Examination {
  /// Returns the device that was plugged in instead of one that was unplugged, and that gpsd does not read; `nil` if
  /// there is none.
  ///
  /// The kernel keeps the number of a device while it is open, so the same receiver gets another one.
  fileprivate func successor(of gone: String, unreadBy daemon: GPSDProcess) -> String? {
    guard let machine else { return nil }
    let similar = machine.serialPorts.map(\.path).filter { $0.withoutNumber == gone.withoutNumber }
    // An untrusted server may name any local file.
    let had = strangers.isEmpty ? receivers.map(\.receiver.path).filter { $0.hasPrefix("/") } : []
    let own = (configured + had).compactMap(machine.realPath)
    return ([gone] + own + similar).first {
      machine.exists($0) && !machine.process(daemon.id, hasOpen: $0)
    }
  }
}

extension String {
  /// `/dev/ttyUSB` of `/dev/ttyUSB0`
  fileprivate var withoutNumber: Substring {
    self[...(lastIndex { !$0.isNumber } ?? startIndex)]
  }
}
