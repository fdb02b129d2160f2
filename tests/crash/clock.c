/* Loaded before the C library: the time of day is the real one plus the seconds that a file says.

   Only the time of day: the monotonic clock, sleeping and waiting stay as they are, since nobody who sets a
   machine's clock changes them. (libfaketime changes sleeping too, and makes it fail when its offset jumps.) */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

typedef int (*reader)(clockid_t, struct timespec *);

static reader real_clock(void) {
  static reader found;
  if (!found) found = (reader)dlsym(RTLD_NEXT, "clock_gettime");
  return found;
}

/* The offset, looked up ten times a second at most. */
static long long offset(void) {
  static long long kept;
  static long long looked = -1;
  struct timespec now;
  real_clock()(CLOCK_MONOTONIC, &now);
  long long tenths = now.tv_sec * 10LL + now.tv_nsec / 100000000;
  if (tenths != looked) {
    looked = tenths;
    const char *path = getenv("CLOCK_OFFSET_FILE");
    FILE *file = path ? fopen(path, "re") : NULL;
    long long read;
    if (file && fscanf(file, "%lld", &read) == 1) kept = read;
    if (file) fclose(file);
  }
  return kept;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  int failed = real_clock()(clock, at);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += offset();
  return failed;
}

int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
