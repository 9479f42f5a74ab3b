// What the libraries use of the C libraries of Apple's systems and of Musl, with the types that these have there. The
// numbers are of no importance: what is compiled with them never runs.
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef long time_t;
typedef long long off_t;

double asinh(double), atan(double), atan2(double, double), atanh(double), cos(double), cosh(double), exp(double),
    hypot(double, double), sin(double), sinh(double);

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct pollfd {
  int fd;
  short events, revents;
};
int poll(struct pollfd *_Nullable fds, unsigned count, int milliseconds);

#if __APPLE__
#define _Required _Nonnull
static inline unsigned _swift_stdlib_gettid(void) { return 0; }
typedef unsigned clockid_t;
typedef struct _opaque_pthread_t *pthread_t;
typedef unsigned long pthread_key_t;
struct stat {
  int st_dev, st_rdev;
  unsigned short st_mode;
  unsigned long long st_ino;
  off_t st_size;
  struct timespec st_ctimespec;
};
static const unsigned short S_IFMT = 1, S_IFCHR = 2, S_IFDIR = 3, S_IFREG = 4, S_IFIFO = 5;
union __sigaction_u {
  void (*_Nullable __sa_handler)(int);
};
struct sigaction {
  union __sigaction_u __sigaction_u;
  unsigned sa_mask;
  int sa_flags;
};
typedef struct dl_info {
  const char *_Nullable dli_fname;
  void *_Nullable dli_fbase;
  const char *_Nullable dli_sname;
  void *_Nullable dli_saddr;
} Dl_info;
int dladdr(const void *_Nonnull address, Dl_info *_Nonnull info);
#else
#define _Required _Nullable
static const int CLOCK_BOOTTIME = 7;
typedef int clockid_t;
typedef struct __pthread *pthread_t;
typedef unsigned pthread_key_t;
struct stat {
  unsigned long long st_dev, st_rdev, st_ino;
  unsigned st_mode;
  off_t st_size;
  struct timespec st_ctim;
};
static const unsigned S_IFMT = 1, S_IFCHR = 2, S_IFDIR = 3, S_IFREG = 4, S_IFIFO = 5;
struct sigaction {
  union {
    void (*_Nullable sa_handler)(int);
  } __sa_handler;
  unsigned long sa_mask[16];
  int sa_flags;
};

typedef struct __dirstream DIR;
struct dirent {
  char d_name[256];
};
DIR *_Nullable opendir(const char *_Nonnull path);
struct dirent *_Nullable readdir(DIR *_Nonnull folder);
int closedir(DIR *_Nonnull folder);
ssize_t readlink(const char *_Nonnull path, char *_Nullable text, size_t count);

struct rusage {
  long ru_nvcsw, ru_nivcsw;
};
int getrusage(int who, struct rusage *_Nonnull usage);
int usleep(unsigned microseconds);
#endif
void *_Nullable dlsym(void *_Nullable library, const char *_Nonnull name);

static const clockid_t CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1;
int clock_gettime(clockid_t clock, struct timespec *_Nullable time);
int pthread_create(pthread_t _Nullable *_Nonnull thread, const void *_Nullable attributes,
    void *_Nullable (*_Nonnull body)(void *_Required), void *_Nullable argument);
int pthread_detach(pthread_t _Nonnull thread);
int pthread_key_create(
    pthread_key_t *_Nonnull key, void (*_Nullable destroy)(void *_Required));
void *_Nullable pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *_Nullable value);

int stat(const char *_Nonnull path, struct stat *_Nonnull status);
int fstat(int file, struct stat *_Nonnull status);
int open(const char *_Nonnull path, int flags);
int fcntl(int file, int command, int argument);
int close(int file);
off_t lseek(int file, off_t offset, int from);
ssize_t read(int file, void *_Nullable bytes, size_t count);
ssize_t pread(int file, void *_Nullable bytes, size_t count, off_t offset);
ssize_t write(int file, const void *_Nullable bytes, size_t count);
_Noreturn void exit(int status);
#define EXIT_FAILURE 1
typedef struct _FILE FILE;
FILE *_Nullable fopen(const char *_Nonnull path, const char *_Nonnull mode);
size_t fread(void *_Nullable bytes, size_t size, size_t count, FILE *_Nonnull file);
int fclose(FILE *_Nonnull file);
int sigaction(
    int number, const struct sigaction *_Nullable action, struct sigaction *_Nullable former);
int raise(int number);
int memcmp(const void *_Nullable bytes, const void *_Nullable others, size_t count);
char *_Nullable strcpy(char *_Nullable copy, const char *_Nullable text);
char *_Nullable strdup(const char *_Nonnull text);
size_t strlen(const char *_Nonnull text);
void free(void *_Nullable memory);
void *_Nullable memchr(const void *_Nonnull bytes, int byte, size_t count);
char *_Nonnull strerror(int number);

static const int errno = 0;
#define STDIN_FILENO 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define POLLIN 1
#define F_DUPFD_CLOEXEC 67
#define O_RDONLY 0
#define O_NONBLOCK 4
#define O_NOCTTY 8
#define O_CLOEXEC 16

#define SA_ONSTACK 1
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGSEGV 11

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define ENAMETOOLONG 36
#define ELOOP 40
#define EPROTO 71
#define EAFNOSUPPORT 97
#define EADDRINUSE 98
#define EADDRNOTAVAIL 99
#define ENETDOWN 100
#define ENETUNREACH 101
#define ECONNABORTED 103
#define ECONNRESET 104
#define ENOBUFS 105
#define ENOTCONN 107
#define ETIMEDOUT 110
#define ECONNREFUSED 111
#define EHOSTDOWN 112
#define EHOSTUNREACH 113
#define EALREADY 114
#define EINPROGRESS 115
#define EDQUOT 122
#define EAI_AGAIN 1
#define EAI_FAIL 2
#define EAI_FAMILY 3
#define EAI_MEMORY 4
#define EAI_NONAME 5
#define EAI_SERVICE 6
#define EAI_SYSTEM 7
