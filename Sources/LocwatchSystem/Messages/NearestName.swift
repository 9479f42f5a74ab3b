/// Returns the name that was probably meant: `word` itself, one that begins with it, or else the one with the
/// smallest edit distance, if that is at most a third of the length of both. Case does not matter.
package func nearestName(to word: String, among names: [String]) -> String? {
  let word = word.lowercased()
  let lowercased = names.map { $0.lowercased() }
  let index =
    lowercased.firstIndex(of: word)
    ?? (word.count > 1 ? lowercased.firstIndex { $0.hasPrefix(word) } : nil)
  if let index { return names[index] }
  let letters = Array(word.unicodeScalars)
  var nearest: (name: String, distance: Int)?
  for (name, lowercased) in zip(names, lowercased) {
    let others = Array(lowercased.unicodeScalars)
    let limit = max(1, min(letters.count, others.count) / 3)
    // The distance is at least the difference of the lengths.
    guard abs(letters.count - others.count) <= limit else { continue }
    let distance = editDistance(from: letters, to: others)
    if distance <= limit, distance < nearest?.distance ?? .max { nearest = (name, distance) }
  }
  return nearest?.name
}

/// Returns the number of letters to insert, delete, replace or swap with their neighbour.
private func editDistance(from source: [Unicode.Scalar], to target: [Unicode.Scalar]) -> Int {
  var beforeLast = Array(0...target.count)
  var last = beforeLast
  var current = beforeLast
  for (row, letter) in source.enumerated() {
    current[0] = row + 1
    for (column, other) in target.enumerated() {
      var distance = min(
        last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, letter == target[column - 1], other == source[row - 1] {
        distance = min(distance, beforeLast[column - 1] + 1)
      }
      current[column + 1] = distance
    }
    (beforeLast, last, current) = (last, current, beforeLast)
  }
  return last[target.count]
}
