import Testing
import VirtualTimeTesting

@Suite struct `From a test clock` {
  @Test(arguments: ["VirtualTime", "FromATestClock"])
  func `the failure is the one that the article shows`(article: String) async throws {
    let failure = await #expect(throws: ScheduleFailure.self) { try await showsTheLatestSearch() }
    let article = try Package.text(of: "Sources/VirtualTime/VirtualTime.docc/\(article).md")
    let text = try #require(failure?.description)
    #expect(article.contains(text), "\(text)")
  }
}
