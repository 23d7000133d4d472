#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spawner.h"
#include "wire.h"

enum { OPEN_FILES_MAX = 4096, OWN_PROCESSES = 16, SIGNALS = 64 };

/* The process limit is counted per user namespace, so per sandbox, also where there are no cgroups. It binds commands
 * only: the cgroup has a reserve above it, so that one more command can start whatever those before it have used up. */
static void limit_command(const struct limits *limits) {
  rlim_t processes = (rlim_t)(limits->pids + OWN_PROCESSES);
  if (limits->pids > 0) setrlimit(RLIMIT_NPROC, &(struct rlimit){processes, processes});
  setrlimit(RLIMIT_NOFILE, &(struct rlimit){OPEN_FILES_MAX, OPEN_FILES_MAX});
}

static void default_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  for (int number = 1; number <= SIGNALS; number++) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Commands share the memory limit of the agent there: the kernel is to choose them. */
static void offer_to_oom_killer(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  dprintf(fd, "1000");
  close(fd);
}

/* Becomes the command. 127: not found, 126: not startable, as in shells. */
static void command_run(const struct limits *limits, const int fds[COMMAND_FDS], const struct request *request) {
  setsid();
  umask(022);
  if (fchdir(fds[COMMAND_CWD])) _exit(126);
  for (int fd = 0; fd <= COMMAND_STDERR; fd++) dup2(fds[fd], fd);
  close_from(3);
  default_signals();
  limit_command(limits);
  if (limits->spared) offer_to_oom_killer();
  environ = request->extra.item;
  execvp(request->args.item[0], request->args.item);
  int error = errno;
  dprintf(2, "%s: %s\n", request->args.item[0], error == ENOENT ? "command not found" : strerror(error));
  _exit(error == ENOENT ? 127 : 126);
}

struct process { pid_t pid, parent; char state; };
struct processes { struct process *item; size_t count, capacity; };

static int read_process(struct process *process) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", process->pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return -1;
  text[length] = 0;
  char *after = strrchr(text, ')');
  return after && sscanf(after + 1, " %c %d", &process->state, &process->parent) == 2 ? 0 : -1;
}

/* All processes of the sandbox; /proc lists them by ascending pid. */
static void read_processes(struct processes *all) {
  all->count = 0;
  DIR *directory = opendir("/proc");
  if (!directory) return;
  for (struct dirent *entry; (entry = readdir(directory));) {
    struct process process = {.pid = atoi(entry->d_name)};
    if (process.pid < 2 || read_process(&process)) continue;
    if (all->count == all->capacity) {
      size_t capacity = all->capacity ? all->capacity * 2 : 256;
      struct process *grown = realloc(all->item, capacity * sizeof *grown);
      if (!grown) break;
      all->item = grown;
      all->capacity = capacity;
    }
    all->item[all->count++] = process;
  }
  closedir(directory);
}

static int by_pid(const void *left, const void *right) {
  return ((const struct process *)left)->pid - ((const struct process *)right)->pid;
}

static int descends_from(const struct processes *all, const struct process *process, pid_t ancestor) {
  for (size_t steps = 0; process && steps <= all->count; steps++) {
    if (process->parent == ancestor) return 1;
    struct process key = {.pid = process->parent};
    process = bsearch(&key, all->item, all->count, sizeof key, by_pid);
  }
  return 0;
}

/* Signals every descendant; returns how many were neither stopped nor dead. */
static int signal_descendants(int number) {
  static struct processes all;
  int running = 0;
  read_processes(&all);
  for (size_t i = 0; i < all.count; i++) {
    if (!descends_from(&all, &all.item[i], getpid())) continue;
    running += !strchr("TZX", all.item[i].state);
    kill(all.item[i].pid, number);
  }
  return running;
}

/* Stops all before killing any: a stopped process holds its slot and cannot fork into it. */
void kill_descendants(void) {
  for (int round = 0; round < 20 && signal_descendants(SIGSTOP) > 0; round++) {}
  signal_descendants(SIGKILL);
}

static uint32_t ms_since(const struct timespec *then) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)((now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000);
}

static void notify(int control, enum shim_word word, int status, uint32_t ran_ms) {
  struct shim_message message = {word, status, ran_ms};
  send(control, &message, sizeof message, MSG_NOSIGNAL);
}

/* Reaps what has ended; returns 0 when no descendant is left. */
static int reap(int control, pid_t command, const struct timespec *forked) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    if (pid == command) notify(control, SHIM_EXITED, status, ms_since(forked));
  }
  return pid == 0;
}

static void watch(int control, pid_t command, int children, const struct timespec *forked) {
  struct pollfd watched[2] = {{.fd = children, .events = POLLIN}, {.fd = control, .events = POLLIN}};
  int killing = 0;
  while (reap(control, command, forked)) {
    if (killing) kill_descendants();
    if (poll(watched, 2, killing ? 5 : -1) < 0 && errno != EINTR) break;
    struct signalfd_siginfo waste;
    char byte;
    if (watched[0].revents) while (read(children, &waste, sizeof waste) > 0) {}
    if (!watched[1].revents) continue;
    if (recv(control, &byte, 1, MSG_DONTWAIT) == 1) killing = 1;
    else watched[1].fd = -1; /* the agent has its reply; background jobs live on */
  }
  notify(control, SHIM_ALL_DEAD, 0, 0);
}

void shim_run(const struct limits *limits, const int fds[COMMAND_FDS]) {
  struct stat stat;
  struct request request;
  sigset_t child;
  if (fstat(fds[COMMAND_REQUEST], &stat)) _exit(1);
  char *bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fds[COMMAND_REQUEST], 0);
  if (bytes == MAP_FAILED || request_parse(&request, bytes, (size_t)stat.st_size)) _exit(1);
  notify(fds[COMMAND_CONTROL], SHIM_STARTED, 0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  signal(SIGCHLD, SIG_DFL);
  int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  struct timespec forked;
  clock_gettime(CLOCK_MONOTONIC, &forked);
  pid_t command = fork();
  if (command == 0) command_run(limits, fds, &request);
  if (command < 0) notify(fds[COMMAND_CONTROL], SHIM_NOT_STARTED, errno, 0);
  for (int fd = 0; fd < COMMAND_FDS; fd++) {
    if (fd != COMMAND_CONTROL) close(fds[fd]);
  }
  watch(fds[COMMAND_CONTROL], command, children, &forked);
  _exit(0);
}
