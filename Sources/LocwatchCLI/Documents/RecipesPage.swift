/// The manual page locwatch-recipes(7), in man(7).
enum RecipesPage {
  static func source(version: String) -> String {
    var page = Roff()
    page.title("locwatch-recipes", section: 7, date: versionDate, release: "locwatch \(version)")
    page.section("NAME")
    page.text("locwatch-recipes - bring positions into other programs")
    page.section("DESCRIPTION")
    page.text(
      "Each recipe is a pipe from locwatch to the client of another program, for bash. Add a server or a "
        + "serial receiver to the command line of locwatch where it is not the gpsd of this machine. "
        + "Except where a recipe says otherwise, it was run against the real server, which was killed and "
        + "started again meanwhile: make check-recipes repeats that.")
    page.paragraph(
      "No pipe survives everything. Record beside it, with --record DIR/, and fill gaps from the "
        + "recording, with the same pipe and --replay DIR/ in place of the gpsd.")
    page.section("RECIPES")
    for recipe in Recipe.all { append(recipe, to: &page) }
    severalMachines(&page)
    page.section("SEE ALSO")
    page.raw("\(Roff.bold("locwatch"))(1)")
    return page.source
  }

  private static func append(_ recipe: Recipe, to page: inout Roff) {
    page.subsection(recipe.name)
    page.text(recipe.purpose)
    if !recipe.preparation.isEmpty {
      page.paragraph("Once:")
      page.example(recipe.preparation)
      page.paragraph("Then:")
    }
    page.example(recipe.lines)
    page.paragraph(
      recipe.promise
        + (recipe.isFormatOnly
          ? " Checked against the specification only, not against the program." : ""))
  }

  private static func severalMachines(_ page: inout Roff) {
    page.section("MORE THAN ONE MACHINE")
    page.text(
      "Run locwatch on each machine that has a receiver, each with its own --source, a broker between them, "
        + "and the consumers behind it: NATS for the lowest delay, MQTT with QoS 1 where links fail, Kafka "
        + "where consumers read again. Every record has the name of its source, and a loss is a record, so "
        + "that no consumer needs a clock to know what is current.")
    page.paragraph(
      "On a machine with two cores that had other work, one mosquitto (2.0.11) passed on 8,000 records a "
        + "second with QoS 1 to a subscriber, and lost none. At 17,000 a second the subscriber fell behind, "
        + "and mosquitto dropped what went beyond its queue of 1,000 messages (max_queued_messages). One "
        + "nats-server (2.9.10) passed on 100,000 a second. At one fix a second, that is 100,000 receivers."
    )
  }
}
