import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The public surface` {
  @Test(arguments: Package.modules) func `is documented, every symbol`(module: String) async throws
  {
    let symbols = try await SymbolGraph.all(ofModule: module).flatMap(\.symbols)
    #expect(!symbols.isEmpty)
    #expect(symbols.filter { !$0.isDocumented }.map(\.path) == [])
  }

  /// `make api` updates the listings: a change of them is a change for users.
  @Test(arguments: Package.modules) func `is as listed`(module: String) async throws {
    let listing = APIListing(try await SymbolGraph.all(ofModule: module))
    let path = "Tests/APIListing/\(module).txt"
    if ProcessInfo.processInfo.environment["LOCWATCH_WRITE_API"] != nil {
      try listing.text.write(
        to: Package.root.appending(path: path), atomically: true, encoding: .utf8)
    }
    let listed = try Package.text(of: path).split(separator: "\n").map(String.init)
    #expect(Set(listed).subtracting(listing.lines).sorted() == [], "gone")
    #expect(Set(listing.lines).subtracting(listed).sorted() == [], "new")
  }
}
