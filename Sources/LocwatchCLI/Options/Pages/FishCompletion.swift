/// The completion for fish: `locwatch.fish` in a directory of completions.
enum FishCompletion {
  static var script: String {
    var lines = [
      "# fish completion for locwatch; made by locwatch --generate complete-fish",
      "complete -c locwatch -f",
      "complete -c locwatch -a '(__fish_print_hostnames)' -d server",
      "complete -c locwatch -a '\(devices)' -d receiver",
    ]
    for option in OptionTable.options {
      var line = "complete -c locwatch"
      if let letter = option.short { line += " -s \(letter)" }
      line += " -l \(option.long)"
      if option.valueName != nil { line += value(of: option.completion) }
      lines.append(line + " -d '\(escaped(option.summary))'")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Serial lines, and not the consoles `/dev/tty1` to `/dev/tty63`.
  private static let devices = "(string match -r \"^/dev/tty[A-Z].*\" /dev/*)"

  private static func value(of completion: Option.Completion) -> String {
    switch completion {
    case .none: " -x"
    case .words(let words): " -x -a '\(words.joined(separator: " "))'"
    case .file: " -r -F"
    case .device: " -x -a '\(devices)'"
    }
  }

  /// The text for single quotes.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
  }
}
