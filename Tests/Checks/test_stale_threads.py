"""Tests of the check of mutexes that are locked for another thread."""
import importlib.util
import pathlib
import unittest

SPECIFICATION = importlib.util.spec_from_file_location(
    "stale_threads", pathlib.Path(__file__).with_name("stale-threads.py"))
stale_threads = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(stale_threads)

FRAME = "  mov 0x28(%r14),%r13"
THREAD = "  mov %fs:0x0,%rax"
EXCHANGE = "  lock cmpxchg %edi,0x10(%rcx)"
SLOW = "  call 16a560 <$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF@plt>"


def stale(symbol, *lines):
    return stale_threads.stale([f"0002afcc80 <{symbol}>:", *lines])


class StaleThreadsTests(unittest.TestCase):
    def test_names_what_locks_after_an_await_without_a_look_at_its_thread(self):
        self.assertEqual(stale("$s1aTY1_", FRAME, EXCHANGE, THREAD, EXCHANGE, SLOW), (["$s1aTY1_"], 1))
        self.assertEqual(stale("$s1aTQ0_", FRAME, EXCHANGE, SLOW, SLOW), (["$s1aTQ0_"], 1))

    def test_accepts_what_looks_first(self):
        for look in [THREAD, "  call 12 <__tls_get_addr@plt>", "  call 12 <_swift_stdlib_gettid>"]:
            self.assertEqual(stale("$s1aTY1_", look, EXCHANGE, THREAD, EXCHANGE, SLOW), ([], 1))

    def test_accepts_other_exchanges(self):
        self.assertEqual(stale("$s1aTY1_", EXCHANGE), ([], 1))
        self.assertEqual(stale("$s1aTY1_", EXCHANGE, "0002afcc90 <$s1b>:", EXCHANGE, SLOW), ([], 1))
        self.assertEqual(stale("$s1a", EXCHANGE, SLOW), ([], 0))


if __name__ == "__main__":
    unittest.main()
