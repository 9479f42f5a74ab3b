// What the libraries use of zlib.
#define ZLIB_VERSION "1.2"
#define Z_OK 0
#define Z_BUF_ERROR (-5)
#define Z_STREAM_END 1
#define Z_NO_FLUSH 0

typedef struct {
  unsigned char *next_in, *next_out;
  unsigned avail_in, avail_out;
  unsigned long total_in, total_out;
} z_stream;

int inflateInit2_(z_stream *stream, int windowBits, const char *version, int size);
int inflate(z_stream *stream, int flush);
int inflateCopy(z_stream *copy, z_stream *stream);
int inflateReset(z_stream *stream);
int inflateEnd(z_stream *stream);
