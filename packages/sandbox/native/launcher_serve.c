/* Launches sandboxes for one large process, which then need not copy itself for each. All integers are u32.
 * A connection to the socket is {length, number} and so many bytes of arguments, each ended by NUL; what is launched has
 * it as its input and output. It writes to 1: {0, 0, 0} when connections are taken; {length, number, LAUNCH_STARTED} and the
 * process id in digits when one has been launched; {length, number, status} and so many bytes of stderr when it has ended.
 * A number on 0 kills; the end of 0 ends all. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"
#include "wire.h"

enum { HEADER = 8, REQUEST_MAX = 128 << 10, STDERR_MAX = 8 << 10, BACKLOG = 4096 };

/* Of one sandbox, or of one that is being requested. */
struct launched {
  struct launched *next;
  uint32_t number; /* 0 until it is known */
  pid_t pid; /* 0 until the request is whole */
  int fd;    /* the connection until then, later the pipe from stderr; -1 when that has ended */
  size_t length;
  unsigned char *text; /* the request, then the output on stderr */
};

static struct {
  int epoll, control, listener, children;
  pid_t owner;
  const char *path;
  struct launched *all;
} server;

static _Noreturn void give_up(const char *what) {
  dprintf(2, "launcher: %s: %s\n", what, strerror(errno));
  _exit(LAUNCH_FAILED);
}

static _Noreturn void leave(void) {
  unlink(server.path);
  _exit(0);
}

static void watch(int fd, void *what) {
  if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){EPOLLIN, {.ptr = what}})) give_up("watch");
}

/* Not left to `close`: where another process still holds the file of `fd`, it would stay watched. */
static void unwatch(int fd) {
  epoll_ctl(server.epoll, EPOLL_CTL_DEL, fd, NULL);
  close(fd);
}

static void report(uint32_t number, int status, const void *text, size_t length) {
  unsigned char header[12];
  put32(header, (uint32_t)length);
  put32(header + 4, number);
  put32(header + 8, (uint32_t)status);
  if (write_all(1, header, sizeof header) || write_all(1, text, length)) leave();
}

static void forget(struct launched *launched) {
  struct launched **link = &server.all;
  while (*link != launched) link = &(*link)->next;
  *link = launched->next;
  if (launched->fd >= 0) unwatch(launched->fd);
  free(launched->text);
  free(launched);
}

static void refuse(struct launched *launched, const char *reason) {
  if (launched->number) report(launched->number, LAUNCH_FAILED << 8, reason, strlen(reason));
  forget(launched);
}

/* In the new process. What it inherits beside its three descriptors `launch` closes. */
static _Noreturn void become(struct launched *launched, int errors) {
  static char *argument[ARGUMENTS_MAX + 1] = {"launcher"};
  int count = 1;
  char *at = (char *)launched->text + HEADER, *end = (char *)launched->text + launched->length;
  for (; at < end && count < ARGUMENTS_MAX; at += strlen(at) + 1) argument[count++] = at;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  fcntl(launched->fd, F_SETFL, 0);
  dup2(launched->fd, 0);
  dup2(launched->fd, 1);
  dup2(errors, 2);
  launch(count, argument);
}

static void report_started(const struct launched *launched) {
  char pid[12];
  int length = snprintf(pid, sizeof pid, "%d", (int)launched->pid);
  report(launched->number, LAUNCH_STARTED, pid, (size_t)length);
}

static void start(struct launched *launched) {
  int errors[2];
  if (launched->length == HEADER || launched->text[launched->length - 1] != 0) return refuse(launched, "a malformed request");
  if (pipe2(errors, O_CLOEXEC)) return refuse(launched, strerror(errno));
  fcntl(errors[0], F_SETFL, O_NONBLOCK);
  launched->pid = fork();
  if (launched->pid == 0) become(launched, errors[1]);
  close(errors[1]);
  unwatch(launched->fd);
  launched->fd = errors[0];
  launched->length = 0;
  if (launched->pid < 0) return refuse(launched, strerror(errno));
  launched->text = realloc(launched->text, STDERR_MAX);
  watch(launched->fd, launched);
  report_started(launched);
}

/* Not a byte more than the request: what follows is the sandbox's. */
static void read_request(struct launched *launched) {
  size_t whole = launched->length < HEADER ? HEADER : HEADER + (size_t)get32(launched->text);
  if (whole > REQUEST_MAX) return refuse(launched, "a request too large");
  ssize_t got = whole == launched->length ? 0 : read(launched->fd, launched->text + launched->length, whole - launched->length);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return refuse(launched, "half a request");
  launched->length += (size_t)got;
  if (launched->length == HEADER) launched->number = get32(launched->text + 4);
  if (launched->length > HEADER && launched->length == HEADER + get32(launched->text)) start(launched);
}

/* Output beyond the buffer is read all the same, so that the writer never blocks. */
static void read_stderr(struct launched *launched) {
  unsigned char waste[4096];
  for (ssize_t got = 1; launched->fd >= 0 && got > 0;) {
    size_t space = STDERR_MAX - launched->length;
    got = read(launched->fd, space > 0 ? launched->text + launched->length : waste, space > 0 ? space : sizeof waste);
    if (got > 0 && space > 0) launched->length += (size_t)got;
    if (got != 0) continue;
    unwatch(launched->fd);
    launched->fd = -1;
  }
}

/* Only the process that started this one may have anything launched. */
static void take_connection(void) {
  struct ucred peer = {0};
  int fd = accept4(server.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  struct launched *launched = calloc(1, sizeof *launched);
  if (launched) launched->text = malloc(REQUEST_MAX);
  int failed = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &(socklen_t){sizeof peer});
  if (failed || peer.pid != server.owner || !launched || !launched->text) {
    close(fd);
    free(launched);
    return;
  }
  launched->fd = fd;
  launched->next = server.all;
  server.all = launched;
  watch(fd, launched);
}

static void reap(void) {
  struct signalfd_siginfo waste;
  int status;
  while (read(server.children, &waste, sizeof waste) > 0) {}
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    struct launched *launched = server.all;
    while (launched && launched->pid != pid) launched = launched->next;
    if (!launched) continue;
    read_stderr(launched);
    report(launched->number, status, launched->text, launched->length);
    forget(launched);
  }
}

/* The one child of bwrap: with it the sandbox ends, and bwrap's end still means that all is gone. Before it has one, the
 * launched process is all there is. */
static pid_t first_process(pid_t pid) {
  char path[64], text[16] = "";
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return pid;
  ssize_t got = read(fd, text, sizeof text - 1);
  close(fd);
  long child = got > 0 ? atol(text) : 0;
  return child > 0 ? (pid_t)child : pid;
}

static void obey(void) {
  static unsigned char order[4];
  static size_t length;
  ssize_t got = read(0, order + length, sizeof order - length);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) leave();
  length += (size_t)got;
  if (length < sizeof order) return;
  length = 0;
  for (struct launched *launched = server.all; launched; launched = launched->next) {
    if (launched->pid > 0 && launched->number == get32(order)) kill(first_process(launched->pid), SIGKILL);
  }
}

static int watch_children(void) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int listen_on(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errno = ENAMETOOLONG, give_up(path);
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  umask(0177);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, BACKLOG)) give_up(path);
  return fd;
}

void serve(const char *path) {
  struct epoll_event event;
  server.path = path;
  server.owner = getppid();
  setsid(); /* a terminal's interrupt is its owner's, which ends its sandboxes in its own time */
  signal(SIGPIPE, SIG_IGN);
  server.epoll = epoll_create1(EPOLL_CLOEXEC);
  server.children = watch_children();
  if (server.epoll < 0 || server.children < 0) give_up("start");
  server.listener = listen_on(path);
  watch(0, &server.control);
  watch(server.listener, &server.listener);
  watch(server.children, &server.children);
  report(0, 0, "", 0);
  for (;;) {
    /* One at a time: it may free what others would be about. */
    if (epoll_wait(server.epoll, &event, 1, -1) != 1) continue;
    struct launched *launched = event.data.ptr;
    if (event.data.ptr == &server.control) obey();
    else if (event.data.ptr == &server.listener) take_connection();
    else if (event.data.ptr == &server.children) reap();
    else if (launched->pid > 0) read_stderr(launched);
    else read_request(launched);
  }
}
