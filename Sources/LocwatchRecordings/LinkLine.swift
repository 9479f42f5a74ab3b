import GPSDProtocol
import LocationCore
import LocationText

/// The line of a recording that shows that the connection to gpsd has failed. ``LinkRecord`` reads it.
enum LinkLine {
  static func text(of change: StateChange) -> [UInt8] {
    var text = TextBuffer()
    text.append(text: #"{"class":"\#(LinkRecord.className)","state":"lost""#)
    if let error = change.error {
      text.append(text: #","error":"#)
      text.append(json: error.code.rawValue)
      if !error.detail.isEmpty {
        text.append(text: #","reason":"#)
        text.append(json: error.detail)
      }
    }
    if let retryIn = change.retryIn {
      text.append(text: #","retry":"#)
      text.append(rounded: retryIn.inSeconds, places: 9)
    }
    text.append(text: "}\r\n")
    return Array(text.bytes)
  }
}
