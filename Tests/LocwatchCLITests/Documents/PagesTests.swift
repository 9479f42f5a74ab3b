import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct PagesTests {
  @Test func `The help fits 80 columns and names every option once`() {
    let lines = HelpPage.text.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 } == [])
    for option in OptionTable.options {
      let letter = option.short.map { "  -\($0), --" } ?? "      --"
      let form = letter + option.long + (option.valueName.map { " \($0)" } ?? "")
      #expect(lines.count { $0 == form || $0.hasPrefix(form + "  ") } == 1, "\(form)")
    }
  }

  @Test func `Each name is that of one option`() {
    let options = OptionTable.options
    #expect(Set(options.map(\.name)) == Set(Option.Name.allCases))
    #expect(options.count == Option.Name.allCases.count)
    let letters = options.compactMap(\.short)
    #expect(Set(letters).count == letters.count)
  }

  @Test func `Every option has an example that parses`() throws {
    let words = Set(OptionCase.all.flatMap(\.arguments).map { $0.prefix { $0 != "=" } })
    for option in OptionTable.options {
      let names = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
      #expect(!words.isDisjoint(with: names.map { $0[...] }), "--\(option.long)")
    }
  }

  @Test func `The manual page has every option, state and field`() {
    let page = GeneratedFile.manual.text(version: "1.2.3")
    let lines = Set(page.split(separator: "\n"))
    for option in OptionTable.options {
      #expect(page.contains("\\fB" + Roff.escaped("--\(option.long)") + "\\fR"))
    }
    for word in LocationState.allCases.map(\.rawValue) + FixField.allCases.map(\.name) {
      #expect(lines.contains(Roff.bold(word)[...]), "\(word)")
    }
    #expect(page.hasPrefix(".TH LOCWATCH 1 \(versionDate) \"locwatch 1.2.3\"\n"))
  }

  @Test func `Every place of the manual's template is filled`() {
    let template = String(decoding: PackageResources.locwatch_1, as: UTF8.self)
    let places = template.split(separator: "\n").filter { $0.hasPrefix(".\\\"") }
    #expect(places.count == 7)
    let lines = GeneratedFile.manual.text(version: "1.2.3").split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix(".\\\"") } == [])
    let tags =
      OptionTable.groups.flatMap(\.operands).map { Roff.italic($0.form) }
      + ExitStatusTable.rows.map { Roff.bold($0.numbers) }
      + Examples.all.map { Roff.bold($0.command) } + Check.all.map { Roff.bold($0.name) }
    #expect(tags.filter { !lines.contains($0[...]) } == [])
  }

  @Test func `The newest section of the changelog has the version and its date`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../CHANGELOG.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.first { $0.hasPrefix("## ") } == "## \(version) (\(versionDate))")
  }

  @Test func `The recipes are in their page as a shell runs them`() {
    let page = GeneratedFile.recipes.text(version: "1.2.3")
    for recipe in Recipe.all {
      let lines = recipe.lines.map(Roff.escaped).joined(separator: "\n")
      #expect(page.contains(".nf\n.RS 4\n\(lines)\n.RE\n.fi\n"), "\(recipe.name)")
    }
  }

  @Test(.needs("bash"), arguments: Recipe.all.map(\.name))
  func `bash finds nothing wrong with a recipe`(name: String) throws {
    let recipe = try #require(Recipe.all.first { $0.name == name })
    for lines in [recipe.preparation, recipe.lines] {
      let script = lines.joined(separator: "\n") + "\n"
      #expect(try ProgramOutput(of: "/usr/bin/bash", ["-n", "-c", script]).errors == "")
    }
  }

  @Test(arguments: [GeneratedFile.bash, .zsh, .fish])
  func `A completion has every option and its words`(file: GeneratedFile) {
    let script = file.text(version: "")
    for option in OptionTable.options {
      #expect(script.contains(file == .fish ? "-l \(option.long) " : "--\(option.long)"))
      if case .words(let words) = option.completion {
        #expect(script.contains(words.joined(separator: file == .bash ? "\n" : " ")))
      }
    }
  }

  @Test(
    .needs("bash"),
    arguments: [
      (["locwatch", ""], nil), (["locwatch", "/dev/tty"], "/dev/tty"),
      (["locwatch", "loc"], "localhost"), (["locwatch", "/dev/nul"], "/dev/null"),
      (["locwatch", "-d", ""], "/dev/"), (["locwatch", "--units", "na"], "nautical"),
      (["locwatch", "--dur"], "--duration"),
    ])
  func `bash offers serial receivers, and not all devices`(
    words: [String], prefix: String?
  ) throws {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      GeneratedFile.bash.text(version: "")
      + "COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _locwatch; "
      + #"printf '%s\n' "${COMPREPLY[@]}""#
    let offers = try ProgramOutput(of: "/usr/bin/bash", ["-c", script]).text.split(separator: "\n")
    let receivers = try Regex("/dev/(tty(ACM|USB|AMA|S)|serial).*")
    for offer in offers {
      let isReceiver = offer.wholeMatch(of: receivers) != nil
      #expect(isReceiver || offer == prefix ?? "localhost", "\(offer)")
    }
    #expect(prefix?.hasSuffix("/") == true || prefix == "/dev/tty" || !offers.isEmpty)
  }

  @Test(.needs("mandoc"), arguments: [GeneratedFile.manual, .recipes])
  func `mandoc finds nothing wrong with a manual page`(page: GeneratedFile) throws {
    try expectNoComplaint(about: page, from: "mandoc", "-T", "lint", "-W", "style")
  }

  @Test(.needs("bash")) func `bash finds nothing wrong with its completion`() throws {
    try expectNoComplaint(about: .bash, from: "bash", "-n")
  }

  @Test(.needs("zsh")) func `zsh finds nothing wrong with its completion`() throws {
    try expectNoComplaint(about: .zsh, from: "zsh", "-n")
  }

  @Test(.needs("fish")) func `fish finds nothing wrong with its completion`() throws {
    try expectNoComplaint(about: .fish, from: "fish", "-n")
  }

  /// Has the program read the file whose format it knows.
  private func expectNoComplaint(
    about file: GeneratedFile, from tool: String, _ arguments: String...
  ) throws {
    let page = try TemporaryFile(file.text(version: "1.2.3"))
    let output = try ProgramOutput(of: "/usr/bin/\(tool)", arguments + [page.path])
    #expect(output.text == "")
    #expect(output.errors == "")
    #expect(output.status == 0)
  }
}

extension Trait where Self == ConditionTrait {
  /// For what another program is asked.
  fileprivate static func needs(_ tool: String) -> Self {
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)"),
      "\(tool) is not installed: 'make test-deps' does that")
  }
}
