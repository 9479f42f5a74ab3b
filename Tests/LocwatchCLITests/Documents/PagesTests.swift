import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchDoctor
@testable import LocwatchSystem

@Suite struct PagesTests {
  @Test func `The help fits 80 columns and names every option but that for packagers once`() {
    let lines = HelpPage.text.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 } == [])
    for option in OptionTable.options {
      let letter = option.short.map { "  -\($0), --" } ?? "      --"
      let form = letter + option.long + (option.valueName.map { " \($0)" } ?? "")
      let count = lines.count { $0 == form || $0.hasPrefix(form + "  ") }
      #expect(count == (option.name == .generate ? 0 : 1), "\(form)")
    }
  }

  @Test func `Each name belongs to one option`() {
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

  @Test func `The help fits on two screens of 48 lines`() {
    #expect(HelpPage.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 96)
  }

  @Test func `The manual describes each option, in the groups and the order of the table`() {
    let expected = OptionTable.groups.flatMap { group in
      [".SS \"\(group.title)\""]
        + group.options.map { option in
          let letter = option.short.map { Roff.bold("-\($0)") + ", " } ?? ""
          let value = option.valueName.map { " " + Roff.italic($0) } ?? ""
          return letter + Roff.bold("--\(option.long)") + value
        }
    }
    let manual = ManualText(.manual)
    #expect(manual.outline(of: "OPTIONS") == expected)
    #expect(
      manual.outline(of: "DESCRIPTION")
        == OptionTable.groups.flatMap(\.operands).map { Roff.italic($0.form) })
  }

  @Test(arguments: OptionTable.options.map(\.long).filter { $0 != "class" })
  func `The manual names every value of an option that a shell completes`(name: String) throws {
    let option = try #require(OptionTable.option(long: name))
    guard case .words(let words) = option.completion else { return }
    let lines = ManualText(.manual).section("OPTIONS")
    let begin = try #require(lines.firstIndex { $0.contains(Roff.bold("--\(name)") + " ") })
    let text = lines[begin...].dropFirst().prefix { $0 != ".TP" }.joined(separator: " ")
    for word in words { #expect((lines[begin] + text).contains(Roff.escaped(word)), "\(word)") }
  }

  @Test func `The manual has every format, and each extension that chooses one, once`() throws {
    let lines = ManualText(.manual).section("OPTIONS")
    func words(after line: String) throws -> [Substring] {
      let begin = try #require(lines.firstIndex { $0.hasSuffix(line) })
      return lines[begin...].dropFirst().prefix { $0 != ".TP" }.joined(separator: " ")
        .split { " ,".contains($0) }
    }
    let names = try words(after: "The output format:")
    let named = names.prefix(FormatCase.all.count + 2)
    for format in FormatCase.all { #expect(named.count { $0 == format.name } == 1) }
    #expect(names.starts(with: ["text", "(the", "default)", "json"]))
    let extensions = try words(after: "the extension chooses the format:")
    let known = Set(LocationFormat.named.flatMap(\.endings))
    for name in known {
      #expect(
        extensions.prefix(known.count).count { $0 == #"\&."# + name || $0 == #"\&."# + name + "." }
          == 1)
    }
  }

  @Test func `The manual has every state and status, and the other pages have fields and checks`() {
    let manual = ManualText(.manual)
    #expect(manual.outline(of: "STATES") == LocationState.allCases.map { Roff.bold($0.rawValue) })
    #expect(manual.outline(of: "EXIT STATUS") == HelpPage.statuses.map { Roff.bold($0.numbers) })
    #expect(
      ManualText(.formats).outline(of: "FIELDS OF A FIX")
        == FixField.allCases.map { Roff.bold($0.name) } + [Roff.bold("satellites")])
    #expect(ManualText(.report).outline(of: "DOCTOR") == Check.all.map { Roff.bold($0.name) })
  }

  @Test(arguments: [GeneratedFile.manual, .formats, .report, .recipes])
  func `A manual page has its title, and no placeholder is left`(page: GeneratedFile) {
    let lines = ManualText(page).lines
    #expect(lines[0].hasPrefix(".TH LOCWATCH"))
    #expect(lines[0].hasSuffix(" \(versionDate) \"locwatch 1.2.3\""))
    #expect(lines.filter { $0.hasPrefix(".\\\"") } == [])
  }

  @Test func `The newest section of the changelog has the version and its date`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../CHANGELOG.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.first { $0.hasPrefix("## ") } == "## \(version) (\(versionDate))")
  }

  @Test(.needs("bash"), arguments: ManualText(.recipes).blocks(of: "RECIPES"))
  func `bash finds nothing wrong with a recipe`(lines: String) throws {
    #expect(try ProgramOutput(of: "/usr/bin/bash", ["-n", "-c", lines]).errors == "")
  }

  @Test func `Each recipe has lines for a shell`() {
    let recipes = ManualText(.recipes).section("RECIPES")
    #expect(recipes.count { $0.hasPrefix(".SS ") } == 15)
    #expect(ManualText(.recipes).blocks(of: "RECIPES").count == 17)
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
      (["locwatch", "--dur"], "--duration"), (["locwatch", "--replay", "nul"], "null"),
      (["locwatch", "--replay", "boat", "=", "nul"], "null"),
    ])
  func `bash offers serial receivers, and not all devices, but all files`(
    words: [String], prefix: String?
  ) throws {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      GeneratedFile.bash.text(version: "")
      + "cd /dev; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _locwatch; "
      + #"printf '%s\n' "${COMPREPLY[@]}""#
    let offers = try ProgramOutput(of: "/usr/bin/bash", ["-c", script]).text.split(separator: "\n")
    let receivers = try Regex("/dev/(tty(ACM|USB|AMA|S)|serial).*")
    for offer in offers {
      let isReceiver = offer.wholeMatch(of: receivers) != nil
      #expect(isReceiver || offer == prefix ?? "localhost", "\(offer)")
    }
    #expect(prefix?.hasSuffix("/") == true || prefix == "/dev/tty" || !offers.isEmpty)
  }

  @Test(.needs("mandoc"), arguments: [GeneratedFile.manual, .formats, .report, .recipes])
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

extension Roff {
  /// The name of a value, as the manual writes it.
  fileprivate static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }
}
