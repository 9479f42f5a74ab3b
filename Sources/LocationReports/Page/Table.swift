/// A table of texts, of which all columns but the first are aligned on the right.
struct Table {
  var caption: String?
  /// The names of the columns; empty if the rows need none.
  var header: [String]
  var rows: [[String]] = []

  func add(to page: inout Markup) {
    page.add("<div class=\"scroll\"><table>")
    if let caption { page.add(element: "caption", text: caption) }
    if !header.isEmpty {
      page.add("<thead><tr>")
      for name in header { page.add(element: "th", "scope=\"col\"", text: name) }
      page.add("</tr></thead>")
    }
    page.add("<tbody>")
    for row in rows {
      page.add("<tr>")
      for (index, cell) in row.enumerated() {
        if index == 0 {
          page.add(element: "th", "scope=\"row\"", text: cell)
        } else {
          page.add(element: "td", text: cell)
        }
      }
      page.add("</tr>")
    }
    page.add("</tbody></table></div>\n")
  }
}
