"""Tests of Packaging/serve-page, with requests of a script."""

import os
import pathlib
import socket
import subprocess
import tempfile
import time
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "Sources/Packaging/serve-page"
PAGE, METRICS = "<!doctype html>\n<p>48.137154</p>\n", "locwatch_latitude_degrees 48.137154\n"
HOSTNAME = os.uname().nodename.split(".")[0]


class ServePage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        pathlib.Path(self.folder, "report.html").write_text(PAGE)
        pathlib.Path(self.folder, "metrics.prom").write_text(METRICS)

    def answer(self, request, *names):
        """The status, the headers and the body of the answer."""
        result = subprocess.run([SCRIPT, self.folder, *names], input=request.encode(), capture_output=True, timeout=20)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        head, _, body = result.stdout.decode().partition("\r\n\r\n")
        first, *headers = head.split("\r\n")
        return int(first.split(" ")[1]), dict(header.split(": ", 1) for header in headers), body

    def ask(self, *headers, path="/metrics", names=()):
        text = "".join(header + "\r\n" for header in headers)
        return self.answer(f"GET {path} HTTP/1.1\r\n{text}\r\n", *names)

    def assert_answers(self, headers, expected, names=()):
        status, _, body = self.ask(*headers, names=names)
        self.assertEqual(status, expected, headers)
        self.assertEqual("48.137154" in body, expected == 200, headers)

    def test_answers_for_an_address_and_for_a_name_of_this_machine(self):
        for host in ("127.0.0.1:9947", "127.0.0.1", "127.1.2.3:80", "192.0.2.7:9947", "[::1]:9947", "[::1]", "[2001:db8::1]:9947",
                     "localhost:9947", "LocalHost", f"{HOSTNAME}:9947", HOSTNAME.upper(), f"{HOSTNAME}.local:9947"):
            self.assert_answers([f"Host: {host}"], 200)
            self.assert_answers([f"hOST:{host} \t"], 200)

    def test_answers_for_no_other_name(self):
        """A site has pointed its own name to the local address."""
        for host in ("evil.example", "evil.example:9947", "localhost.evil.example", "127.0.0.1.evil.example:9947", "1.2.3.4a",
                     "evil.localhost", "localhost.", "localhost localhost", "localhost evil.example", "evil.example localhost",
                     "user@localhost", "*", "l*", "[a-z]ocalhost", "?ocalhost", "localhost\\", "", ":9947", ":", "[", "]",
                     "localhost,evil.example", "evil.example#127.0.0.1", f"{HOSTNAME}.evil.example", "-n", "%s"):
            self.assert_answers([f"Host: {host}"], 421)

    def test_answers_for_names_that_are_configured(self):
        for host in "boat.example:9947", "Boat.Example", "gps.test":
            self.assert_answers([f"Host: {host}"], 200, ["boat.EXAMPLE", "gps.test"])
            self.assert_answers([f"Host: {host}"], 200, ["boat.example gps.test"])
        self.assert_answers(["Host: evil.example"], 421, ["boat.example", "gps.test"])
        self.assert_answers(["Host: boat.example gps.test"], 421, ["boat.example", "gps.test"])

    def test_wants_one_host(self):
        self.assert_answers([], 400)
        self.assert_answers(["Host: localhost", "Host: localhost"], 400)
        self.assert_answers(["Host: localhost", "host: evil.example"], 400)
        self.assert_answers(["Host: evil.example", "HOST: localhost"], 400)
        self.assertEqual(self.answer("GET /metrics HTTP/1.0\r\n\r\n")[0], 200)
        self.assertEqual(self.answer("GET /metrics HTTP/1.0\r\nHost: evil.example\r\n\r\n")[0], 421)

    def test_refuses_what_another_site_asks_for(self):
        host = "Host: localhost:9947"
        for site in "cross-site", "same-site", "", "none, cross-site", "None":
            self.assert_answers([host, f"Sec-Fetch-Site: {site}"], 403)
            self.assert_answers([host, "Sec-Fetch-Site: none", f"sec-fetch-site:{site}"], 403)
        for site in "none", "same-origin":
            self.assert_answers([host, f"Sec-Fetch-Site: {site}"], 200)
        for origin in "http://evil.example", "null", "http://localhost:3000", "https://localhost:9947", "http://localhost":
            self.assert_answers([host, f"Origin: {origin}"], 403)
        self.assert_answers([host, "Origin: http://localhost:9947"], 200)

    def test_says_what_a_browser_may_do_with_its_answers(self):
        for path, host, expected in (("/", "localhost", 200), ("/metrics", "localhost", 200), ("/x", "localhost", 404),
                                     ("/", "evil.example", 421)):
            status, headers, _ = self.ask(f"Host: {host}", path=path)
            self.assertEqual(status, expected)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
            self.assertEqual(headers["Cache-Control"], "no-store")
            policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
            self.assertEqual(headers["Content-Security-Policy"], policy)

    def test_serves_a_page_and_metrics(self):
        self.assertEqual(self.ask("Host: localhost", path="/")[2], PAGE)
        self.assertEqual(self.ask("Host: localhost", path="/metrics?x=1")[2], METRICS)
        self.assertEqual(self.answer("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")[::2], (200, ""))
        os.remove(f"{self.folder}/metrics.prom")
        self.assertEqual(self.ask("Host: localhost")[0], 503)
        # The unit makes the file of the report before locwatch writes it.
        pathlib.Path(self.folder, "report.html").write_text("")
        self.assertEqual(self.ask("Host: localhost", path="/")[0], 503)

    def test_refuses_what_is_no_request(self):
        for request, expected in {"GET / HTTP/1.1\nHost: localhost\n\n": 200, "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n": 405,
                                  "GET /\r\n\r\n": 400, "\r\n\r\n": 400, "\x00\xff\r\n\r\n": 400,
                                  "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n": 404,
                                  "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n": 404,
                                  "GET / HTTP/1.1\r\nHost: local": 400, "GET / HTTP/2\r\n\r\n": 400}.items():
            self.assertEqual(self.answer(request)[0], expected, request)

    def test_waits_five_seconds_for_a_request_of_this_machine(self):
        ours, theirs = socket.socketpair()
        start = time.monotonic()
        script = subprocess.Popen([SCRIPT, self.folder], stdin=theirs, stdout=theirs, env={**os.environ, "REMOTE_ADDR": "127.0.0.1"})
        theirs.close()
        self.addCleanup(script.kill)
        ours.settimeout(15)
        ours.sendall(b"GET / HTTP/1.1\r\n")
        self.assertEqual((ours.recv(1), script.wait(5)), (b"", 124))
        self.assertTrue(5 <= time.monotonic() - start < 15)
        ours.close()


if __name__ == "__main__":
    unittest.main()
