/// The name that was probably meant: one that `word` begins, else the one that takes the fewest
/// changes of a letter, where those are no more than a third of it.
func nearestName(to word: String, among names: [String]) -> String? {
  if word.count > 1, let name = names.first(where: { $0.hasPrefix(word) }) { return name }
  let ranked = names.map { (name: $0, distance: editDistance(from: word, to: $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, min(word.count, best.name.count) / 3)
  else { return nil }
  return best.name
}

/// How many letters must be put in, left out, replaced or exchanged with their neighbour.
private func editDistance(from source: String, to target: String) -> Int {
  let source = Array(source)
  let target = Array(target)
  var beforeLast: [Int] = []
  var last = Array(0...target.count)
  for (row, letter) in source.enumerated() {
    var current = [row + 1]
    for (column, other) in target.enumerated() {
      var distance = min(
        last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, letter == target[column - 1], other == source[row - 1] {
        distance = min(distance, beforeLast[column - 1] + 1)
      }
      current.append(distance)
    }
    (beforeLast, last) = (last, current)
  }
  return last[target.count]
}
