public import LocationCore
import Synchronization

/// A call to a ``ScriptedLocationSource``.
public enum ProviderCall: Hashable, Sendable {
  /// A connection was made for a request.
  case connect(LocationRequest)
  /// A connection was closed by its reader, for the first time.
  case close
}

/// The calls of a provider and its connections, in their order.
final class ProviderCalls: Sendable {
  private let recorded = Mutex<[ProviderCall]>([])

  var all: [ProviderCall] { recorded.withLock(\.self) }

  func record(_ call: ProviderCall) { recorded.withLock { $0.append(call) } }
}
