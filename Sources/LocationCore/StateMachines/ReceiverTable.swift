/// A value for each of at most 64 receivers, in the order of their appearance.
///
/// The names of receivers come from the network, so there may be any number of them; gpsd itself
/// takes four to six. Beyond the limit, a new receiver replaces the one whose value was changed or
/// looked for least recently. Paths are compared by their bytes: see ``isSamePath(_:_:)``.
package struct ReceiverTable<Value: Sendable>: Sendable {
  /// The maximum number of receivers.
  @inlinable
  package static var maximumCount: Int { 64 }

  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let path: String?
    @usableFromInline var value: Value
    @usableFromInline var lastUse: UInt64

    @inlinable
    init(path: String?, value: Value, lastUse: UInt64) {
      self.path = path
      self.value = value
      self.lastUse = lastUse
    }
  }

  @usableFromInline var entries: [Entry] = []
  /// The entry that was used last, and is nearly always the next one to be used.
  @usableFromInline var latest = 0
  @usableFromInline var uses: UInt64 = 0

  @inlinable
  package init() {}

  /// Whether a new receiver would replace another one.
  @inlinable
  package var isFull: Bool { entries.count >= Self.maximumCount }

  /// Returns the path of the receiver at an index; `nil` for one without a name.
  package func path(at index: Int) -> String? { entries[index].path }

  /// Returns the index of a receiver, and marks it as used; `nil` if it is not in the table.
  @inlinable
  package mutating func find(_ path: String?) -> Int? {
    guard let index = position(of: path) else { return nil }
    if index != latest { use(index) }
    return index
  }

  /// Adds a receiver that is not in the table.
  ///
  /// - Parameter isReplaceable: Whether the new receiver may replace the one with this value if the
  ///   table is full.
  /// - Returns: The index of the receiver; `nil` if there is no room for it.
  @discardableResult
  @inlinable
  package mutating func insert(
    _ value: Value, for path: String?, inPlaceOf isReplaceable: (Value) -> Bool = { _ in true }
  ) -> Int? {
    if isFull {
      guard let oldest = leastRecentlyUsed(where: isReplaceable) else { return nil }
      entries.remove(at: oldest)
    }
    entries.append(Entry(path: path, value: value, lastUse: 0))
    use(entries.count - 1)
    return latest
  }

  /// The value of a receiver; `nil` if it is not in the table. Reading it does not count as a use.
  @inlinable
  package subscript(path: String?) -> Value? {
    get { position(of: path).map { entries[$0].value } }
    set {
      guard let newValue else { return removeAll { isSamePath($0, path) } }
      if let index = find(path) {
        entries[index].value = newValue
      } else {
        insert(newValue, for: path)
      }
    }
  }

  /// Removes the receivers whose path meets a condition.
  @inlinable
  package mutating func removeAll(where isRemoved: (String?) -> Bool) {
    entries.removeAll { isRemoved($0.path) }
    latest = entries.count
  }

  @inlinable
  package mutating func removeAll() { entries.removeAll() }

  @inlinable
  func position(of path: String?) -> Int? {
    let entries = entries.span  // Avoids copies of the elements.
    if latest < entries.count, isSamePath(entries[latest].path, path) { return latest }
    for index in entries.indices where isSamePath(entries[index].path, path) { return index }
    return nil
  }

  @inlinable
  func leastRecentlyUsed(where isReplaceable: (Value) -> Bool) -> Int? {
    let entries = entries.span
    var oldest: Int?
    for index in entries.indices where isReplaceable(entries[index].value) {
      if let oldest, entries[oldest].lastUse < entries[index].lastUse { continue }
      oldest = index
    }
    return oldest
  }

  @inlinable
  mutating func use(_ index: Int) {
    latest = index
    uses += 1
    entries[index].lastUse = uses
  }
}

/// The values, in the order of the receivers' appearance.
extension ReceiverTable: RandomAccessCollection {
  @inlinable
  package var startIndex: Int { 0 }
  @inlinable
  package var endIndex: Int { entries.count }

  @inlinable
  package subscript(index: Int) -> Value {
    _read { yield entries.span[index].value }
    _modify { yield &entries[index].value }
  }
}

/// Returns whether two paths name the same receiver: whether their bytes are equal, as for the
/// kernel.
///
/// Strings are equal if they are canonically equivalent, whatever their bytes: "é" can be one code
/// point or two. Two receivers whose paths differ only in this are never taken for one.
@inlinable
package func isSamePath(_ path: String?, _ other: String?) -> Bool {
  guard let path, let other else { return path == nil && other == nil }
  // Equal strings of ASCII characters have equal bytes, and are compared fastest.
  guard path == other else { return false }
  return path.utf8Span.isKnownASCII && other.utf8Span.isKnownASCII
    || path.utf8.elementsEqual(other.utf8)
}
