import LocationCore
import Testing

@testable import LocationFormats
@testable import LocationText
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

@Suite struct RendererChoiceTests {
  @Test(arguments: FormatCase.all)
  func `The format determines the renderer`(format: FormatCase) throws {
    let options = try Options(arguments: ["-f", format.name, "-o", "a"])
    #expect(document(by: options.style.makeRenderer()).hasPrefix(format.start))
  }

  @Test func `Records are coloured as the terminal's style says`() throws {
    let renderer = try Options(arguments: []).style.makeRenderer(usesColor: true)
    #expect(document(by: renderer).hasPrefix("2026-11-20T07:06:31.090Z \u{1b}[31mlost"))
  }

  private func document(by renderer: some Renderer) -> String {
    var renderer = renderer
    var output = TextBuffer()
    renderer.begin(into: &output)
    renderer.state(Samples.lost, into: &output)
    renderer.fix(Samples.flat, into: &output)
    renderer.end(into: &output)
    return output.string
  }
}
