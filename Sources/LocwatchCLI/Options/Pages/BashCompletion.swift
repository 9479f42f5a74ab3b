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
