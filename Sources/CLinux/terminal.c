#include "terminal.h"

#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t is_shown;
static int shown_on;
static struct termios mode_before;
static char leaving_text[lw_maximum_leaving];
static size_t leaving_length;

static struct sigaction actions_before[NSIG];
static volatile sig_atomic_t are_caught;

// Whether a signal may come from an instruction that fails.
static int is_of_instruction(int number) {
  switch (number) {
    case SIGILL: case SIGTRAP: case SIGABRT: case SIGSEGV: case SIGBUS: case SIGFPE: case SIGSYS:
      return 1;
    default:
      return 0;
  }
}

// Whether a signal ends a process that does nothing about it, and can be caught.
static int ends_process(int number) {
  switch (number) {
    case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT: case SIGCHLD:
    case SIGURG: case SIGWINCH:
      return 0;
    default:
      return 1;
  }
}

void lw_screen_restore(void) {
  if (!is_shown) { return; }
  is_shown = 0;
  // A terminal that ctrl-S has stopped would take nothing.
  tcflow(shown_on, TCOON);
  if (write(shown_on, leaving_text, leaving_length) < 0) { /* The terminal is gone. */ }
  tcsetattr(shown_on, TCSANOW, &mode_before);
}

static void restore_and_end(int number, siginfo_t *info, void *context) {
  (void)context;
  lw_screen_restore();
  // A failed instruction fails again, and whoever handled that before does so now. Any other signal has
  // to be sent again, and then ends the process.
  const int is_sent = info->si_code == SI_USER || !is_of_instruction(number);
  if (is_sent) {
    signal(number, SIG_DFL);
  } else {
    sigaction(number, &actions_before[number], NULL);
  }
  if (is_sent || info->si_code == SI_TKILL) { raise(number); }
}

void lw_screen_begin(
    int terminal, const void *mode, const char *leaving, size_t length) {
  shown_on = terminal;
  memcpy(&mode_before, mode, sizeof mode_before);
  leaving_length = length < sizeof leaving_text ? length : sizeof leaving_text;
  memcpy(leaving_text, leaving, leaving_length);
  is_shown = 1;
  if (are_caught) { return; }
  are_caught = 1;
  struct sigaction action = {.sa_sigaction = restore_and_end, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int number = 1; number < NSIG; number++) {
    // The C library keeps some signals for itself.
    if (!ends_process(number) || sigaction(number, NULL, &actions_before[number]) != 0) { continue; }
    // What the parent process ignores stays ignored.
    if (actions_before[number].sa_handler == SIG_IGN) { continue; }
    sigaction(number, &action, NULL);
  }
}

void lw_screen_end(void) { is_shown = 0; }

void lw_stop(void) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
  kill(getpid(), SIGTSTP);
  pthread_sigmask(SIG_BLOCK, &stop, NULL);
}

int lw_signals_open(const void *signals) {
  return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int lw_signals_read(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}
