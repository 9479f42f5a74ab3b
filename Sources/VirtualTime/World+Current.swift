#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension World {
  /// The world whose job the current thread runs; `nil` outside of virtual time.
  static var current: World? {
    unsafe pthread_getspecific(key).map {
      unsafe Unmanaged<World>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Makes a world the ``current`` one of this thread.
  static func enter(_ world: World?) {
    unsafe pthread_setspecific(
      key, world.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
  }

  /// A place for a pointer of each thread.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()
}
