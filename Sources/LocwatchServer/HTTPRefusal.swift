/// Why a request is not granted.
package struct HTTPRefusal: Error, Equatable, Sendable {
  package let status: String
  package let message: String

  static let noRequest = HTTPRefusal(
    status: "400 Bad Request", message: "This is not an HTTP/1 request.")
  static let noHost = HTTPRefusal(
    status: "400 Bad Request", message: "A request needs exactly one Host header.")
  static let tooLarge = HTTPRefusal(
    status: "431 Request Header Fields Too Large", message: "The request is too large.")
  static let foreignName = HTTPRefusal(
    status: "421 Misdirected Request",
    message: "This is not a name of this machine. locwatch --serve-name NAME adds one.")
  static let foreignSite = HTTPRefusal(
    status: "403 Forbidden",
    message: "Another site asks for this. Type the address of the page, or use a bookmark.")
  static let wrongMethod = HTTPRefusal(
    status: "405 Method Not Allowed", message: "Only GET and HEAD are allowed.")
  static let noPage = HTTPRefusal(
    status: "404 Not Found", message: "The pages are /, /events, /fix and /metrics.")
  static let busy = HTTPRefusal(
    status: "503 Service Unavailable", message: "There are too many connections.")
}
