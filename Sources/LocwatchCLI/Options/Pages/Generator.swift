extension Options.GeneratedFile {
  /// The file's text.
  package func text(version: String) -> String {
    switch self {
    case .manual: ManualPage.source(version: version)
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }
}
