#!/usr/bin/env python3
"""Opens the page of --serve in a headless Chromium: while a simulated receiver drives through a tunnel, gpsd and locwatch
are stopped and return, and something is open, scrolled and selected; in the background, and without scripts; and as a site of
somebody else does that has given its own name the address of this machine. --shots keeps pictures at three widths, light
and dark. Prints a table; the status is 1 if a row fails.

usage: page.py PROGRAMS [--shots FOLDER]"""

import http.server
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from report import MEASURE, Browser, option

WIDTHS = [320, 768, 1920]
# What a foreign site tries. What it has read, it writes into its own document.
FOREIGN = """<!doctype html><title>foreign</title><body><script>
const note = text => document.body.append(text + '; ');
const target = 'TARGET';
fetch(target).then(r => r.text()).then(t => note('fetched ' + t), () => note('fetch failed'));
fetch(target, {mode: 'no-cors'}).then(r => r.text()).then(t => note('no-cors "' + t + '"'), () => note('no-cors failed'));
const events = new EventSource(target.replace('/fix', '/events'));
events.onmessage = ({ data }) => note('event ' + data);
for (const name of ['img', 'script', 'iframe']) {
  const element = document.createElement(name);
  element.onload = () => {
    let text = '';
    try { text = element.contentDocument.body.textContent } catch { text = 'nothing' }
    note(name + ' loaded ' + text);
  };
  element.onerror = () => note(name + ' failed');
  element.src = target;
  document.body.append(element);
}
</script>
"""
STATE = "document.getElementById('state').textContent"
PLACE = "document.querySelector('.place')?.textContent ?? ''"
CUT = "document.getElementById('live').className"


def foreign(target):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(FOREIGN.replace("TARGET", target).encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Locwatch:
    def __init__(self, program, targets, port=0):
        self.process = subprocess.Popen(
            [program, "--serve", str(port), "--events", *targets], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.url = self.process.stderr.readline().split(" at ")[1].strip()
        self.port = int(self.url.rstrip("/").rsplit(":")[-1])
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def stop(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(10)


class Site:
    """A gpsd with simulated receivers."""

    def __init__(self, programs, *arguments):
        self.process = subprocess.Popen(
            [programs / "simulated-site", *arguments], stdout=subprocess.PIPE, text=True)
        self.port = self.process.stdout.readline().split()[0]
        self.target = f"localhost:{self.port}"

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def main():
    arguments = sys.argv[1:]
    shots = option(arguments, "--shots")
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    programs = pathlib.Path(arguments[0]).resolve()
    failed = False

    def row(name, is_right, seen=""):
        nonlocal failed
        failed = failed or not is_right
        print(f"{'ok' if is_right else 'FAILED':7} {name}: {' '.join(str(seen).split())[-180:]}", flush=True)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(f"{folder}/profile", "MAP evil.example 127.0.0.1, MAP *.example ~NOTFOUND")
        browser.open_tab()

        def comes(expression, seconds):
            start = time.monotonic()
            while time.monotonic() - start < seconds:
                if browser.evaluate(expression):
                    return time.monotonic() - start
                time.sleep(0.1)
            return None

        def shoot(name):
            if not shots:
                return
            for scheme in "light", "dark":
                for width in WIDTHS:
                    browser.show(width, scheme)
                    time.sleep(0.2)
                    browser.shoot(shots / f"{name}-{width}-{scheme}.png")
            browser.show(768)

        def loses(name, *words):
            took = comes(f"{STATE}.startsWith('Cut off from locwatch since ') && {CUT} == 'cut'", 6)
            row(f"{name}: the page says within 3 s that it is cut off", took is not None and took <= 3.4, took)
            shoot(name)

        def returns(name):
            took = comes(f"{STATE} == '3D fix' && {CUT} == ''", 20)
            row(f"{name}: it comes back by itself", took is not None, took)

        site = Site(programs, "--scenario", "drive")
        locwatch = Locwatch(programs / "locwatch", [site.target])
        url = locwatch.url
        browser.show(768)
        browser.load(url)
        row("a position is shown", comes(f"{STATE} == '3D fix'", 10) is not None, browser.evaluate(PLACE))
        first = browser.evaluate(PLACE)
        took = comes(f"({PLACE}) != {first!r}", 3)
        row("it changes without a reload", took is not None, took)
        time.sleep(3)
        for scheme in "light", "dark":
            for width in WIDTHS:
                browser.show(width, scheme)
                time.sleep(1.5)
                found = [problem for problem in browser.evaluate(MEASURE)
                         if problem not in ("a figure without a name",) and "has no caption" not in problem]
                row(f"{width} px, {scheme}", not found, found)
                if shots:
                    browser.shoot(shots / f"live-{width}-{scheme}.png")
        browser.show(768)
        browser.load(url)
        time.sleep(1)
        opened = browser.evaluate("""(() => {
          const details = [...document.querySelectorAll('main details')].at(-1);
          details.open = true;
          details.id2 = 'kept';
          scrollTo(0, 500);
          getSelection().selectAllChildren(document.querySelector('main .lead'));
          return details.parentElement.querySelector('figcaption')?.textContent.slice(0, 20) ?? '';
        })()""")
        lead = browser.evaluate("getSelection().toString()")
        table = "document.querySelector('main').textContent"
        before = browser.evaluate(table)
        took = comes(f"{table} != {before!r}", 15)
        row("the figures change every 10 s", took is not None, took)
        kept = browser.evaluate("""(() => {
          const details = [...document.querySelectorAll('main details')].find(d => d.id2 == 'kept');
          return [details?.open, details?.parentElement.querySelector('figcaption')?.textContent.slice(0, 20) ?? '',
            scrollY, getSelection().toString()];
        })()""")
        row("what is open, scrolled to and selected stays", kept[0] is True and kept[1] == opened and abs(kept[2] - 500) < 80
            and "under way" in kept[3] and "under way" in lead, kept)
        row("the browser has nothing to say", not [c for c in browser.complaints(url) if c.startswith("says")],
            [c for c in browser.complaints(url) if c.startswith("says")])
        requests = {c for c in browser.complaints(url) if c.startswith("requests")}
        row("it asks only its server", all(url in request for request in requests), requests)

        os.kill(locwatch.process.pid, signal.SIGSTOP)
        loses("suspended")
        os.kill(locwatch.process.pid, signal.SIGCONT)
        returns("suspended")
        locwatch.stop()
        loses("killed")
        locwatch = Locwatch(programs / "locwatch", [site.target], locwatch.port)
        returns("killed")

        site.stop()
        took = comes(f"{STATE}.startsWith('gpsd cannot be reached')", 10)
        row("gpsd is killed: the page says so", took is not None and browser.evaluate(CUT) == "", browser.evaluate(STATE))
        shoot("no-gpsd")
        site = Site(programs, "--scenario", "tunnel", "--port", site.port)
        took = comes(f"{STATE} == '3D fix'", 40)
        row("gpsd returns", took is not None, took)
        took = comes(f"{STATE}.startsWith('Lost')", 40)
        row("the tunnel: the page says that the position is lost", took is not None,
            (browser.evaluate(STATE), browser.evaluate(PLACE)))
        row("the last position is not shown as a current one",
            browser.evaluate("!document.querySelector('.place:not(.old)')"), browser.evaluate(PLACE))
        # On a busy machine, the tunnel ends while pictures are made.
        shoot("lost")
        took = comes(f"{STATE} == '3D fix'", 20)
        row("the end of the tunnel", took is not None, took)

        browser.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
                         "document.dispatchEvent(new Event('visibilitychange'))")
        time.sleep(0.5)
        browser.events = []
        time.sleep(12)
        state = browser.evaluate(STATE)
        row("in the background, it asks for nothing, and shows no current position",
            state == "Paused in the background" and not [c for c in browser.complaints("") if c.startswith("requests")], state)
        browser.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
        row("it comes to the front", comes(f"{STATE} == '3D fix' && {CUT} == ''", 5) is not None, browser.evaluate(STATE))

        browser.send("Emulation.setScriptExecutionDisabled", value=True)
        browser.load(url)
        text = browser.evaluate(PLACE)
        shoot("no-scripts")
        browser.events = []
        browser.load(url)
        browser.events = []
        start = time.monotonic()
        browser.wait("Page.loadEventFired")
        took = time.monotonic() - start
        row("without scripts, it reloads every 10 s", text and 8 < took < 13, f"{text} {took:.1f}")
        browser.send("Emulation.setScriptExecutionDisabled", value=False)

        second = Site(programs, "--scenario", "drive")
        both = Locwatch(programs / "locwatch", [f"boat={site.target}", f"car={second.target}"])
        browser.load(both.url)
        comes(f"{STATE}.includes('car')", 10)
        time.sleep(4)
        row("two receivers", "boat" in browser.evaluate(STATE) and "car" in browser.evaluate(STATE), browser.evaluate(STATE))
        shoot("two")
        both.stop()
        second.stop()

        def latitude():
            record = urllib.request.urlopen(f"{url}fix", timeout=10).read().decode()
            return record[record.index('"lat":') + 6:][:6]

        for host in "127.0.0.1", "localhost":
            before = latitude()
            browser.load(f"http://{host}:{locwatch.port}/fix")
            seen = browser.evaluate("document.body.textContent")
            # Meanwhile, the car may have crossed a thousandth of a degree.
            row(f"{host}/fix is shown", before in seen or latitude() in seen, seen)
        # The car stays in this tenth of a degree.
        secret = latitude()[:4]
        for path in "/", "/fix", "/metrics", "/events":
            browser.load(f"http://evil.example:{locwatch.port}{path}")
            seen = browser.evaluate("document.body.textContent")
            row(f"evil.example{path} is refused", secret not in seen and "not a name of this" in seen, seen)
        for host in "127.0.0.1", "localhost", "evil.example":
            browser.load(f"http://evil.example:{foreign(f'http://{host}:{locwatch.port}/fix')}/")
            time.sleep(2)
            seen = browser.evaluate("document.body.textContent.split('</script>').at(-1)")
            row(f"a page of evil.example learns nothing of {host}",
                secret not in seen.split("document.body.append(element);")[-1] and "fetch failed" in seen, seen)
        locwatch.stop(signal.SIGTERM)
        site.stop()
        browser.end()
    sys.exit(failed)


if __name__ == "__main__":
    main()
