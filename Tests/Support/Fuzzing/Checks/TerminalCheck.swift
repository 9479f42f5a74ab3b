/// Whether what was sent to a terminal is text and control sequences of ECMA-48 that begin with CSI.
package enum TerminalCheck {
  package static func complaint(about bytes: [UInt8]) -> String? {
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == 0x1B else {
        if byte != UInt8(ascii: "\r") { text.append(byte) }
        continue
      }
      guard rest.popFirst() == UInt8(ascii: "[") else { return "an escape that is no CSI" }
      let parameters = rest.prefix { (0x30...0x3F).contains($0) }
      rest = rest.dropFirst(parameters.count)
      guard let end = rest.popFirst(), (0x40...0x7E).contains(end) else {
        return "a control sequence without an end"
      }
    }
    return RecordCheck.complaintAboutText(text)
  }
}
