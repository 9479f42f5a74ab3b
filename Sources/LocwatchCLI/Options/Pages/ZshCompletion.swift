/// The completion for zsh: the file `_locwatch` in a directory of `fpath`.
enum ZshCompletion {
  // The function comes first, for the file's last command is the completion.
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

  /// The text for a description in brackets, within single quotes.
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
