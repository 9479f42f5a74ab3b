/// A value for each of at most 64 receivers, in the order of their appearance.
///
/// The names of receivers come from the network, so there may be any number of them; gpsd itself
/// takes four to six. Beyond the limit, a new receiver replaces the one whose value was changed or
/// looked for least recently. Paths are compared by their bytes: see ``isSamePath(_:_:)``.
package struct ReceiverTable<Value: Sendable>: Sendable {
  /// The maximum number of receivers.
  @inlinable
  package static var maximumCount: Int { 64 }

  /// The values, in the order of the receivers' appearance. Values can be changed, but not added or removed.
  package var values: [Value] = []
  @usableFromInline var paths: [String?] = []
  @usableFromInline var lastUses: [UInt64] = []
  /// The index that was used last, and is nearly always the next one to be used.
  @usableFromInline var latest = 0
  @usableFromInline var uses: UInt64 = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { paths.isEmpty }

  @inlinable
  package var indices: Range<Int> { paths.indices }

  /// Whether a new receiver would replace another one.
  @inlinable
  package var isFull: Bool { paths.count >= Self.maximumCount }

  /// Returns the path of the receiver at an index; `nil` for one without a name.
  package func path(at index: Int) -> String? { paths[index] }

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
      remove(at: oldest)
    }
    values.append(value)
    paths.append(path)
    lastUses.append(0)
    use(paths.count - 1)
    return latest
  }

  /// The value of a receiver; `nil` if it is not in the table. Reading it does not count as a use.
  @inlinable
  package subscript(path: String?) -> Value? {
    get {
      guard let index = position(of: path) else { return nil }
      return values[index]
    }
    set {
      guard let newValue else { return removeAll { isSamePath($0, path) } }
      if let index = find(path) {
        values[index] = newValue
      } else {
        insert(newValue, for: path)
      }
    }
  }

  /// Removes the receivers whose path meets a condition.
  @inlinable
  package mutating func removeAll(where isRemoved: (String?) -> Bool) {
    for index in paths.indices.reversed() where isRemoved(paths[index]) { remove(at: index) }
    latest = paths.count
  }

  @inlinable
  package mutating func removeAll() {
    values.removeAll()
    paths.removeAll()
    lastUses.removeAll()
  }

  @inlinable
  mutating func remove(at index: Int) {
    values.remove(at: index)
    paths.remove(at: index)
    lastUses.remove(at: index)
  }

  @inlinable
  func position(of path: String?) -> Int? {
    if latest < paths.count, isSamePath(paths[latest], path) { return latest }
    return paths.firstIndex { isSamePath($0, path) }
  }

  @inlinable
  func leastRecentlyUsed(where isReplaceable: (Value) -> Bool) -> Int? {
    var oldest: Int?
    for index in values.indices where isReplaceable(values[index]) {
      if let oldest, lastUses[oldest] < lastUses[index] { continue }
      oldest = index
    }
    return oldest
  }

  @inlinable
  mutating func use(_ index: Int) {
    latest = index
    uses += 1
    lastUses[index] = uses
  }
}

/// Returns whether two paths name the same receiver: whether their bytes are equal, as for the
/// kernel.
///
/// Strings are equal if they are canonically equivalent, whatever their bytes: "é" can be one code
/// point or two. Two receivers whose paths differ only in this way are never treated as one.
@inlinable
package func isSamePath(_ path: String?, _ other: String?) -> Bool {
  guard let path, let other else { return path == nil && other == nil }
  guard path == other else { return false }
  // Any other form of an ASCII character takes more than one byte.
  return path.isKnownASCII && path.utf8.count == other.utf8.count
    || path.utf8.elementsEqual(other.utf8)
}
