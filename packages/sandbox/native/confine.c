#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <asm/sockios.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { INSTRUCTIONS_MAX = 4096, FIRST_PROCESS = 1 };

static int install(struct sock_filter *instruction, size_t count) {
  struct sock_fprog program = {(unsigned short)count, instruction};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int confine(const char *filter) {
  static struct sock_filter instruction[INSTRUCTIONS_MAX];
  int fd = open(filter, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = read(fd, instruction, sizeof instruction);
  close(fd);
  if (length <= 0 || length % (ssize_t)sizeof *instruction || length == sizeof instruction) return errno = EINVAL, -1;
  return install(instruction, (size_t)length / sizeof *instruction);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Of 64-bit arguments the low half, which is all that the kernel takes of a pid or a command. */
#define LOAD_ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (index))
#define IF_EQUAL(value, skip_true, skip_false) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), skip_true, skip_false)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)

/* Beside the calls named `kill`, a signal is sent to the owner of a descriptor (F_SETOWN and what ioctl has for it), and
 * to the process of a descriptor, which a folder of /proc does too. */
int confine_signals(pid_t process) {
  struct sock_filter program[] = {
    LOAD(nr),
    IF_EQUAL(SYS_kill, 9, 0),
    IF_EQUAL(SYS_tkill, 8, 0),
    IF_EQUAL(SYS_tgkill, 7, 0),
    IF_EQUAL(SYS_rt_sigqueueinfo, 6, 0),
    IF_EQUAL(SYS_rt_tgsigqueueinfo, 5, 0),
    IF_EQUAL(SYS_pidfd_open, 4, 0),
    IF_EQUAL(SYS_fcntl, 5, 0),
    IF_EQUAL(SYS_ioctl, 9, 0),
    IF_EQUAL(SYS_pidfd_send_signal, 16, 0),
    RETURN(SECCOMP_RET_ALLOW),
    /* 11: by its first argument */
    LOAD_ARGUMENT(0),
    BPF_STMT(BPF_JMP | BPF_JA, 8),
    /* 13: fcntl */
    LOAD_ARGUMENT(1),
    IF_EQUAL(F_SETOWN_EX, 11, 0),
    IF_EQUAL(F_SETOWN, 0, 9),
    LOAD_ARGUMENT(2),
    BPF_STMT(BPF_JMP | BPF_JA, 3),
    /* 18: ioctl */
    LOAD_ARGUMENT(1),
    IF_EQUAL(FIOSETOWN, 6, 0),
    IF_EQUAL(SIOCSPGRP, 5, 4),
    /* 21: whether it is that process, its group, the first process, which gVisor does not protect, or all */
    IF_EQUAL(process, 4, 0),
    IF_EQUAL(-process, 3, 0),
    IF_EQUAL(FIRST_PROCESS, 2, 0),
    IF_EQUAL(-1, 1, 0),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(REFUSED),
  };
  return install(program, sizeof program / sizeof *program);
}
