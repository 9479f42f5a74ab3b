extension GeneratedFile {
  /// The file's text.
  package func text(version: String) -> String {
    switch self {
    case .manual: ManualPage.source(of: PackageResources.locwatch_1, version: version)
    case .formats: ManualPage.source(of: PackageResources.locwatch_formats_5, version: version)
    case .report: ManualPage.source(of: PackageResources.locwatch_report_7, version: version)
    case .recipes: ManualPage.source(of: PackageResources.locwatch_recipes_7, version: version)
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    case .schema: OutputSchema.text
    }
  }
}

/// The completion for bash. It needs no bash-completion.
enum BashCompletion {
  static var script: String {
    """
    # bash completion for locwatch; made by locwatch --generate complete-bash
    _locwatch_devices() {
      local name
      for name in /dev/tty{ACM,USB,AMA,S}* /dev/serial[0-9]* /dev/serial/by-id/*; do
        if [[ -c $name && $name == "$1"* ]]; then COMPREPLY+=("$name"); fi
      done
    }
    _locwatch() {
      local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} IFS=$'\\n'
      COMPREPLY=()
      # bash takes = for a word of its own.
      if [[ $word == = ]]; then
        word=
      elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
        # As in --replay NAME=FILE.
        if [[ ${COMP_WORDS[COMP_CWORD-3]} == --replay ]]; then option=--replay; fi
      fi
      case $option in
    \(cases)
      esac
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W '\(names.joined(separator: "\n"))' -- "$word"))
      else
        COMPREPLY=($(compgen -W 'localhost' -- "$word"))
        _locwatch_devices "$word"
        if [[ $word == [./]* && ${#COMPREPLY[@]} == 0 ]]; then COMPREPLY=($(compgen -f -- "$word")); fi
        compopt -o filenames 2>/dev/null
      fi
    }
    complete -F _locwatch locwatch

    """
  }

  private static var names: [String] {
    OptionTable.options.flatMap { ($0.short.map { ["-\($0)"] } ?? []) + ["--\($0.long)"] }
  }

  private static var cases: String {
    OptionTable.options.compactMap { option in
      guard option.valueName != nil else { return nil }
      let pattern = (option.short.map { "-\($0)|" } ?? "") + "--\(option.long)"
      return "    \(pattern)) \(action(for: option.completion)); return ;;"
    }.joined(separator: "\n")
  }

  private static func action(for completion: Option.Completion) -> String {
    switch completion {
    case .none: ":"
    case .words(let words):
      "COMPREPLY=($(compgen -W '\(words.joined(separator: "\n"))' -- \"$word\"))"
    case .file: "COMPREPLY=($(compgen -f -- \"$word\")); compopt -o filenames 2>/dev/null"
    case .device: "_locwatch_devices \"$word\""
    }
  }
}

/// The completion for zsh: the file `_locwatch` in a directory of `fpath`.
enum ZshCompletion {
  // The function comes first, because the completion must be the last command of the file.
  static var script: String {
    """
    #compdef locwatch
    # zsh completion for locwatch; made by locwatch --generate complete-zsh
    _locwatch_target() {
      _alternative 'hosts:server:_hosts' 'files:serial receiver:_files -g "/dev/tty[A-Z]*(%c)"'
    }
    _arguments -s -S \\
    \(OptionTable.options.map { "  \(argument(for: $0)) \\\n" }.joined())\
      '::server or receiver:_locwatch_target'

    """
  }

  private static func argument(for option: Option) -> String {
    let text = "[\(escaped(option.summary))]" + value(of: option)
    let equals = option.valueName == nil ? "" : "="
    guard let letter = option.short else { return "'--\(option.long)\(equals)\(text)'" }
    let plus = option.valueName == nil ? "" : "+"
    let names = "(-\(letter) --\(option.long))"
    return "'\(names)'{-\(letter)\(plus),--\(option.long)\(equals)}'\(text)'"
  }

  private static func value(of option: Option) -> String {
    guard let name = option.valueName else { return "" }
    let action =
      switch option.completion {
      case .none: " "
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .file: "_files"
      case .device: "_files -g \"/dev/tty[A-Z]*(%c)\""
      }
    return ":\(escaped(name)):\(action)"
  }

  /// Returns the text for a description in brackets, within single quotes.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "'": result += "'\\''"
      case "[", "]", ":", "\\": result += "\\\(character)"
      default: result.append(character)
      }
    }
  }
}

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

  /// Serial devices, without the consoles `/dev/tty1` to `/dev/tty63`.
  private static let devices = "(string match -r \"^/dev/tty[A-Z].*\" /dev/*)"

  private static func value(of completion: Option.Completion) -> String {
    switch completion {
    case .none: " -x"
    case .words(let words): " -x -a '\(words.joined(separator: " "))'"
    case .file: " -r -F"
    case .device: " -x -a '\(devices)'"
    }
  }

  /// Returns the text for use within single quotes.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
  }
}
