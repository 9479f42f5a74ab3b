/// The unusual choices of a schedule.
struct Tape: Hashable, Sendable {
  /// An unusual choice.
  enum Position: Hashable, Sendable {
    case place(Int)
    /// The number of the point.
    case interruption(Int)
  }

  /// The place of the job that ran, at each choice between several that were ready, up to the last unusual one.
  private(set) var places: [Int]
  /// What ran instead of a job that was interrupted, by the number of the point: 1 is the job that became ready last.
  private(set) var interruptions: [Int: Int]

  init(places: [Int] = [], interruptions: [Int: Int] = [:]) {
    self.places = places.trimmed
    self.interruptions = interruptions
  }

  init(_ choices: some Sequence<Choice>) {
    self.init()
    var places: [Int] = []
    var point = 0
    for choice in choices {
      if choice.isInterruption {
        point += 1
        if choice.place != 0 { interruptions[point] = choice.place }
      } else {
        places.append(choice.place)
      }
    }
    self.places = places.trimmed
  }

  /// Where the schedule differs from the usual order.
  var unusual: [Position] {
    places.indices.filter { places[$0] != 0 }.map(Position.place)
      + interruptions.keys.sorted().map(Position.interruption)
  }

  /// What runs at a choice; zero for what usually does.
  subscript(position: Position) -> Int {
    get {
      switch position {
      case .place(let choice): choice < places.count ? places[choice] : 0
      case .interruption(let point): interruptions[point] ?? 0
      }
    }
    set {
      switch position {
      case .place(let choice):
        if choice < places.count { places[choice] = newValue }
        places = places.trimmed
      case .interruption(let point): interruptions[point] = newValue == 0 ? nil : newValue
      }
    }
  }
}

extension [Int] {
  /// Without zeros at the end.
  fileprivate var trimmed: [Int] { Array(prefix((lastIndex { $0 != 0 } ?? -1) + 1)) }
}
