/// A table of texts. All columns but the first are aligned on the right.
struct Table {
  var caption: String?
  /// The names of the columns; empty if the rows need none.
  var header: [String]
  var rows: [[String]] = []
  /// Whether a narrow screen shows one cell per line, with the name of its column.
  var isInRows = false
  /// The identifiers that the first cells link to, by row number; `nil` without links.
  var links: ((Int) -> String)?

  func add(to page: inout Markup) {
    page.add("<div class=\"\(isInRows ? "scroll rows" : "scroll")\"><table>")
    if let caption { page.add(element: "caption", text: caption) }
    if !header.isEmpty {
      page.add("<thead><tr>")
      for name in header { page.add(element: "th", "scope=\"col\"", text: name) }
      page.add("</tr></thead>")
    }
    page.add("<tbody>")
    for (number, row) in rows.enumerated() {
      page.add("<tr>")
      for (index, cell) in row.enumerated() {
        if index == 0 {
          add(head: cell, leadingTo: links?(number), to: &page)
        } else if isInRows, header.indices.contains(index) {
          page.add("<td data-l=\"")
          page.add(text: header[index])
          page.add("\">")
          page.add(prose: cell)
          page.add("</td>")
        } else {
          page.add(element: "td", text: cell)
        }
      }
      page.add("</tr>")
    }
    page.add("</tbody></table></div>\n")
  }

  private func add(head: String, leadingTo link: String?, to page: inout Markup) {
    page.add("<th scope=\"row\">")
    if let link { page.add("<a href=\"#\(link)\">") }
    page.add(received: head)
    if link != nil { page.add("</a>") }
    page.add("</th>")
  }
}
