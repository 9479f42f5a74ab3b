/// A piece of Swift in an article, or of a snippet file.
struct CodeBlock: Hashable {
  var name: String
  var lines: [String]

  /// The fenced Swift of a text, each named by its first line.
  static func all(inMarkdown text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let lines = open {
        open = line == "```" ? nil : lines + [line]
        if line == "```" { blocks.append(CodeBlock(name: lines.first ?? "", lines: lines)) }
      } else if line == "```swift" {
        open = []
      }
    }
    return blocks
  }

  /// The regions of a snippet file. Those of one name are one block.
  static func all(inSnippets text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var region: CodeBlock?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let words = line.drop { $0 == " " }
      if words.hasPrefix("// snippet: ") {
        region = CodeBlock(name: String(words.dropFirst(12)), lines: [])
      } else if words == "// end", let ended = region {
        let index = blocks.firstIndex { $0.name == ended.name }
        if let index {
          blocks[index].lines += outdented(ended.lines)
        } else {
          blocks.append(CodeBlock(name: ended.name, lines: outdented(ended.lines)))
        }
        region = nil
      } else {
        region?.lines.append(line)
      }
    }
    return blocks
  }

  /// Without the indentation that all of a region's lines have.
  static func outdented(_ lines: [String]) -> [String] {
    let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    return lines.map { String($0.dropFirst(indents.min() ?? 0)) }
  }
}
