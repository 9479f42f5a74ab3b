/// The unusual choices of a schedule.
struct Tape: Hashable, Sendable {
  /// A choice by its number, from 1: between jobs that are ready, or whether a job is interrupted.
  enum Position: Hashable, Comparable, Sendable {
    case place(Int)
    case interruption(Int)
  }

  private var choices: [Position: Int] = [:]

  init() {}

  init(_ choices: some Sequence<Choice>) {
    var (places, points) = (0, 0)
    for choice in choices {
      if choice.isInterruption { points += 1 } else { places += 1 }
      self[choice.isInterruption ? .interruption(points) : .place(places)] = choice.place
    }
  }

  var unusual: [Position] { choices.keys.sorted() }

  /// What runs at a choice; zero for what usually does.
  subscript(position: Position) -> Int {
    get { choices[position] ?? 0 }
    set { choices[position] = newValue == 0 ? nil : newValue }
  }
}
