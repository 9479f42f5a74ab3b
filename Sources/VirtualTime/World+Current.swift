import CVirtualTime

extension World {
  /// The world whose job the current thread runs; `nil` outside of virtual time.
  static var current: World? {
    unsafe vt_world().map { unsafe Unmanaged<World>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Makes a world the ``current`` one of this thread.
  static func enter(_ world: World?) {
    unsafe vt_enter(world.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
  }
}
