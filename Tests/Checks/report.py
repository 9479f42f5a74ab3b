#!/usr/bin/env python3
"""report.py LOCWATCH [--shots FOLDER] [--picture FILE] RECORDING...

Makes the page of each recording, opens it in a headless Chromium, and fails unless the browser has
nothing to say, requests nothing but the page, and shows everything within the window, in a readable
size and with enough contrast, at three widths, light and dark, and no table is cut off on paper. --shots
keeps all pictures, --picture the top of the first page, as the README shows it."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

WIDTHS = [1280, 768, 375]
# The width of the text on A4 paper with margins of a centimetre, in pixels.
PAPER = 718
# The least size of text, in pixels, and the least contrast of text (WCAG 1.4.3).
SMALLEST, CONTRAST = 8.0, 4.5

MEASURE = r"""
(() => {
  const problems = [];
  for (const fold of document.querySelectorAll('details.fold')) fold.open = true;
  if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the window');
  for (const box of document.querySelectorAll('.scroll'))
    if (box.offsetWidth > box.clientWidth) problems.push('a table scrolls up and down');
  for (const svg of document.querySelectorAll('svg')) {
    const ids = (svg.getAttribute('aria-labelledby') || '').split(' ');
    const [title, desc] = ids.map(id => document.getElementById(id)?.textContent || '');
    if (svg.getAttribute('role') != 'img' || !title || !desc) problems.push('a figure without a name');
    if (!svg.closest('figure')?.querySelector('figcaption')) problems.push(title + ' has no caption');
    const box = svg.getBoundingClientRect(), placed = [];
    for (const text of svg.querySelectorAll('text')) {
      const place = text.getBoundingClientRect(), name = `${title} '${text.textContent}'`;
      const scale = svg.getScreenCTM().a;
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < %f) problems.push(`${name} is ${size.toFixed(1)} px`);
      if (place.left < box.left - 1 || place.right > box.right + 1 || place.top < box.top - 1
        || place.bottom > box.bottom + 1) problems.push(`${name} is cut off`);
      for (const [other, rect] of placed)
        if (place.left < rect.right - 1 && rect.left < place.right - 1
          && place.top < rect.bottom - 3 * scale && rect.top < place.bottom - 3 * scale)
          problems.push(`${name} is on '${other}'`);
      placed.push([text.textContent, place]);
    }
    for (const path of svg.querySelectorAll('path'))
      if (/NaN|inf/.test(path.getAttribute('d'))) problems.push(title + ' has no numbers');
  }
  const light = color => {
    const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(c => c / 255)
      .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ground = element => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if (!/, 0\)$/.test(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  for (const element of document.querySelectorAll('text, p, h1, h2, h3, th, td, figcaption, summary')) {
    const style = getComputedStyle(element);
    const a = light(element.localName == 'text' ? style.fill : style.color), b = light(ground(element));
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < %f)
      problems.push(`${element.localName} '${element.textContent.slice(0, 20)}' has ${contrast.toFixed(1)}:1`);
  }
  const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
  if (new Set(ids).size != ids.length) problems.push('an identifier is used twice');
  if (matchMedia('(prefers-color-scheme: dark)').matches
    != (light(getComputedStyle(document.body).backgroundColor) < .2)) problems.push('the wrong colours');
  return [...new Set(problems)];
})()
""" % (SMALLEST, CONTRAST)


CUT_OFF = """
  [...document.querySelectorAll('.scroll')].filter(box => box.scrollWidth > box.clientWidth + 1)
    .map(box => `the table '${box.textContent.slice(0, 30)}' is cut off`)
"""


class Browser:
    """A Chromium that is driven by the DevTools protocol over two pipes."""

    def __init__(self, profile, resolver="MAP * ~NOTFOUND"):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise SystemExit("chromium is missing: apt-get install chromium")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def connect():
            # Both are moved up first: one of them may be 3 or 4 itself.
            read, write = os.dup(commands), os.dup(answers)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking",
             f"--host-resolver-rules={resolver}", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise SystemExit("the browser ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())

    def open_tab(self):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Log", "Network", "Runtime", "Audits", "Security"]:
            self.send(f"{domain}.enable")

    def load(self, url):
        self.events = []
        self.send("Page.navigate", url=url)
        self.wait("Page.loadEventFired")

    def evaluate(self, expression):
        return self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)["result"].get("value")

    def show(self, width, scheme="light", height=900, mobile=None):
        self.send("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 500 if mobile is None else mobile)

    def shoot(self, file, whole=True):
        image = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(image))

    def complaints(self, url):
        """What the browser said, and what it requested, besides the page."""
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                if parameters["request"]["url"] != url:
                    yield "requests " + parameters["request"]["url"]
            elif method == "Log.entryAdded":
                yield "says " + parameters["entry"]["text"]
            elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Audits.issueAdded"):
                yield "says " + json.dumps(parameters)[:300]

    def end(self):
        self.session = None
        try:
            self.send("Browser.close")
        except (SystemExit, OSError):
            pass
        self.process.wait(10)


def take_picture(browser, page, file):
    browser.show(800, height=800, mobile=True)
    browser.load(page.as_uri())
    browser.shoot(file, whole=False)


def option(arguments, name):
    """Takes the value of an option out of the arguments; None if it is not there."""
    if name not in arguments:
        return None
    index = arguments.index(name)
    value = pathlib.Path(arguments[index + 1])
    del arguments[index:index + 2]
    return value


def check(browser, page, shots):
    url, problems = page.as_uri(), []
    for scheme in ["light", "dark"]:
        for width in WIDTHS:
            browser.show(width, scheme)
            browser.load(url)
            found = browser.evaluate(MEASURE)
            found += browser.complaints(url)
            problems += [f"{page.name}, {width} px, {scheme}: {problem}" for problem in found]
            if shots:
                browser.shoot(shots / f"{page.stem}-{width}-{scheme}.png")
    browser.send("Emulation.setEmulatedMedia", media="print")
    browser.send(
        "Emulation.setDeviceMetricsOverride", width=PAPER, height=900, deviceScaleFactor=1,
        mobile=False)
    browser.load(url)
    found = browser.evaluate(CUT_OFF)
    return problems + [f"{page.name}, on paper: {problem}" for problem in found]


def main():
    arguments = sys.argv[1:]
    shots, picture = option(arguments, "--shots"), option(arguments, "--picture")
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    locwatch, recordings = arguments[0], arguments[1:]
    problems = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(f"{folder}/profile")
        browser.open_tab()
        for recording in recordings:
            page = pathlib.Path(folder) / (pathlib.Path(recording).stem + ".html")
            subprocess.run(
                [locwatch, "--replay", recording, "--report", page], check=True,
                stdout=subprocess.DEVNULL)
            found = check(browser, page, shots)
            if picture:
                take_picture(browser, page, picture)
                picture = None
            print(f"{page.name}: {page.stat().st_size} bytes, {len(found)} problems")
            problems += found
        browser.end()
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
