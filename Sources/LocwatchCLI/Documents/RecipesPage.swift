import LocwatchSystem

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
    clockAtBoot(&page)
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

  private static func clockAtBoot(_ page: inout Roff) {
    page.section("THE CLOCK AT BOOT")
    page.text(
      "A Raspberry Pi without a battery starts at the time at which it was stopped. Without a network, its receiver "
        + "is the only clock. The Debian package has a unit that sets it once after the start:")
    page.example(["sudo systemctl enable locwatch-clock.service"])
    page.paragraph(
      "It waits for six 3D fixes, however long that takes; the start of the machine does not wait for it. If all but the first "
        + "are not doubted and agree to a second, the clock is set, to the delay of the serial line, which is less "
        + "than a second. It is left as it is if it is right to a second, or synchronised by NTP. It is set to no time before "
        + "the program was built, so that a receiver whose weeks have begun again cannot set it to a date of 20 years ago, "
        + "and to none more than 15 years after that, as by systemd: who lies to the receiver at the start of the machine "
        + "can set it to any time in between, until the next start or NTP. A receiver that lacks the leap seconds is up to 18 s ahead in its "
        + "first 12.5 minutes. What it did, or why not, is in the journal:")
    page.example(["journalctl -b -u locwatch-clock"])
    page.paragraph(
      "With these lines for sudo systemctl edit locwatch-clock, services that wait for the time (After=time-sync.target) "
        + "wait for that, up to five minutes:")
    page.example([
      "[Unit]", "Wants=time-sync.target", "Before=time-sync.target", "[Service]", "Type=oneshot",
      "TimeoutStartSec=5min",
    ])
    page.paragraph(
      "chrony keeps the clock right from then on, to about 0.1 s without pulses. gpsd writes to its segment 0 if it is "
        + "started as root, as Debian's is; with a receiver in /etc/default/gpsd and GPSD_OPTIONS=-n, this line "
        + "in /etc/chrony/conf.d/gps.conf is all. The report of locwatch, and locwatch --doctor, say which offset is "
        + "that of the receiver.")
    page.example(["refclock SHM 0 refid GPS offset 0.2 delay 0.2 poll 3"])
  }

  private static func severalMachines(_ page: inout Roff) {
    page.section("MORE THAN ONE MACHINE")
    page.text(
      "Run locwatch on each machine that has a receiver, each with its own --source, a broker between them, "
        + "and the consumers behind it. Where links fail, give each machine a broker of its own, as in the recipe MQTT "
        + "bridge. Every record has the name of its source, and a loss is a record, so "
        + "that no consumer needs a clock to know what is current.")
    page.paragraph(
      "On a machine with two cores that had other work, one mosquitto (2.0.11) passed on 8,000 records a "
        + "second with QoS 1 to a subscriber, and lost none. At 17,000 a second the subscriber fell behind, "
        + "and mosquitto dropped what went beyond its queue of 1,000 messages (max_queued_messages). One "
        + "nats-server (2.9.10) passed on 100,000 a second. At one fix a second, that is 100,000 receivers."
    )
    page.paragraph(
      "One machine is enough for a thousand receivers: a single locwatch with a thousand gpsds in --targets, one "
        + "fix a second each, and mosquitto_pub as in the recipe MQTT took 35 MB and 5 % of a processor. "
        + "mosquitto was killed and away for 5 s: of 45,000 records none was lost, and one or two arrived twice."
    )
  }
}
