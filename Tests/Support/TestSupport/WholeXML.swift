import Foundation
import FoundationXML

/// Returns whether bytes are an XML document from its beginning to its end. By itself, `XMLParser` accepts one that
/// ends within an element.
package func isWholeXML(_ bytes: some Sequence<UInt8>) -> Bool {
  let parser = XMLParser(data: Data(bytes))
  let elements = OpenElements()
  parser.delegate = elements
  return parser.parse() && elements.count == 0
}

private final class OpenElements: NSObject, XMLParserDelegate {
  private(set) var count = 0

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) { count += 1 }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { count -= 1 }
}
