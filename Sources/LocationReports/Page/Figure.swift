/// A drawing with a title, the sentence that it shows, and its numbers as a table.
struct Figure {
  /// The width of all drawings, in units of about a pixel on a narrow screen.
  static let width = 400.0

  let name: String
  let title: String
  /// A description of what the figure shows. It also serves people who cannot see the figure.
  var sentence: String
  let height: Double
  var drawing = Markup()
  var table: Table?
  /// Whether it takes the whole width of the page.
  var isWide = false

  /// - Parameters:
  ///   - name: Distinguishes the figures of a receiver.
  init(_ name: String, title: String, sentence: String, height: Double) {
    self.name = name
    self.title = title
    self.sentence = sentence
    self.height = height
  }

  /// - Parameter receiver: The number of the receiver, which makes identifiers unique.
  func add(to page: inout Markup, receiver: Int) {
    let id = "\(name)-\(receiver)"
    page.add(isWide ? "<figure class=\"wide\">" : "<figure>")
    page.add("<svg role=\"img\" viewBox=\"0 0 400 ")
    page.add(height)
    page.add("\" aria-labelledby=\"\(id)-t \(id)-d\">")
    page.add(element: "title", "id=\"\(id)-t\"", text: title)
    page.add(element: "desc", "id=\"\(id)-d\"", text: sentence)
    page.add(drawing)
    page.add("</svg><figcaption>")
    page.add(element: "b", text: title)
    page.add(" ")
    page.add(prose: sentence)
    page.add("</figcaption>\n")
    if let table {
      page.add("<details><summary>Table</summary>")
      table.add(to: &page)
      page.add("</details>")
    }
    page.add("</figure>\n")
  }
}
