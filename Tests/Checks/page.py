#!/usr/bin/env python3
"""Opens the page that serve-page serves in a headless Chromium: at an address and at localhost, where it must be shown and
come again by itself, and as a site of somebody else does that has given its own name the address of this machine, that
fetches it, frames it, runs it as a script or shows it as a picture. Then the same with a port that sends
NMEA, as locwatch-nmea.socket does. Prints a table; the status is 1 if a row fails.

usage: page.py"""

import http.server
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

SCRIPT = pathlib.Path(__file__).parents[2] / "Sources/Packaging/serve-page"
SECRET = "48.137154"
PAGE = f"""<!doctype html><meta charset="utf-8"><title>report</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>p {{ color: rgb(1, 2, 3) }}</style><p>{SECRET}</p>
"""
# What a foreign site tries. What it has read, it writes into its own document.
FOREIGN = """<!doctype html><title>foreign</title><body><script>
const note = text => document.body.append(text + '; ');
const target = 'TARGET';
fetch(target).then(r => r.text()).then(t => note('fetched ' + t), () => note('fetch failed'));
fetch(target, {mode: 'no-cors'}).then(r => r.text()).then(t => note('no-cors "' + t + '"'), () => note('no-cors failed'));
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


class Server:
    """Listens on the loopback interface, and has each connection answered on a thread."""

    def __init__(self, answer):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.answer, self.requests = answer, 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            client, _ = self.listener.accept()
            self.requests += 1
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        with client:
            self.answer(client)


def served(folder):
    """As systemd starts the script."""

    def answer(client):
        subprocess.run([SCRIPT, folder], stdin=client, stdout=client, env={**os.environ, "REMOTE_ADDR": "127.0.0.1"})

    return answer


def nmea(client):
    client.sendall(f"$GPGGA,{SECRET}*00\r\n".encode() * 20)
    client.settimeout(2)
    try:
        while client.recv(4096):
            pass
    except OSError:
        pass


def foreign(target):
    body = FOREIGN.replace("TARGET", target).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def shown(url):
    """The document after it was loaded, as a browser shows it that believes evil.example to be this machine."""
    with tempfile.TemporaryDirectory() as profile:
        result = subprocess.run(
            [shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--host-resolver-rules=MAP evil.example 127.0.0.1, MAP *.example ~NOTFOUND",
             f"--user-data-dir={profile}", "--virtual-time-budget=4000", "--dump-dom", url],
            capture_output=True, text=True, timeout=90)
    return result.stdout


def main():
    failed = False

    def row(name, is_right, seen):
        nonlocal failed
        failed = failed or not is_right
        print(f"{'ok' if is_right else 'FAILED':7} {name}: {' '.join(seen.split())[-180:]}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "report.html").write_text(PAGE)
        pathlib.Path(folder, "metrics.prom").write_text(f"locwatch_latitude_degrees {SECRET}\n")
        page = Server(served(folder))
        for host in "127.0.0.1", "localhost":
            for path in "/", "/metrics":
                seen = shown(f"http://{host}:{page.port}{path}")
                row(f"{host}{path} is shown", SECRET in seen, seen)
        for path in "/", "/metrics":
            seen = shown(f"http://evil.example:{page.port}{path}")
            row(f"evil.example{path}, which is this machine, is refused", SECRET not in seen and "not a name of this" in seen, seen)
        for host in "127.0.0.1", "localhost", "evil.example":
            before = page.requests
            seen = shown(f"http://evil.example:{foreign(f'http://{host}:{page.port}/metrics')}/")
            row(f"a page of evil.example learns nothing of {host}, in {page.requests - before} requests",
                SECRET not in seen and "fetch failed" in seen and page.requests > before, seen)
    port = Server(nmea).port
    seen = shown(f"http://evil.example:{port}/")
    row("NMEA is not shown", SECRET not in seen, seen)
    seen = shown(f"http://evil.example:{foreign(f'http://evil.example:{port}/')}/")
    row("a page of evil.example learns nothing of NMEA", SECRET not in seen and "fetch failed" in seen, seen)
    sys.exit(failed)


if __name__ == "__main__":
    main()
