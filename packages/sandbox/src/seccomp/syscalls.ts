/** Numbers of the system calls that the filter names, from the kernel's tables for each architecture. */

export type Architecture = 'x64' | 'arm64';

export const AUDIT_ARCHITECTURE: Record<Architecture, number> = {
  x64: 0xc000_003e,
  arm64: 0xc000_00b7,
};

/** null: the architecture has no such call. Calls from `pidfd_send_signal` on share one number everywhere. */
export const SYSCALLS = {
  // processes and memory of others
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  process_madvise: { x64: 440, arm64: 440 },
  process_mrelease: { x64: 448, arm64: 448 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  kcmp: { x64: 312, arm64: 272 },
  move_pages: { x64: 279, arm64: 239 },
  migrate_pages: { x64: 256, arm64: 238 },
  // kernel surface that has little use here and a long history
  bpf: { x64: 321, arm64: 280 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  userfaultfd: { x64: 323, arm64: 282 },
  perf_event_open: { x64: 298, arm64: 241 },
  memfd_secret: { x64: 447, arm64: 447 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  fanotify_init: { x64: 300, arm64: 262 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  lookup_dcookie: { x64: 212, arm64: 18 },
  syslog: { x64: 103, arm64: 116 },
  uselib: { x64: 134, arm64: null },
  modify_ldt: { x64: 154, arm64: null },
  // counted for the whole host: one sandbox would use up the contexts of all
  io_setup: { x64: 206, arm64: 0 },
  // mounts and namespaces
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  mount_setattr: { x64: 442, arm64: 442 },
  open_tree_attr: { x64: 467, arm64: 467 },
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  // the machine
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  reboot: { x64: 169, arm64: 142 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  acct: { x64: 163, arm64: 89 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  iopl: { x64: 172, arm64: null },
  ioperm: { x64: 173, arm64: null },
  vhangup: { x64: 153, arm64: 58 },
  sethostname: { x64: 170, arm64: 161 },
  setdomainname: { x64: 171, arm64: 162 },
  settimeofday: { x64: 164, arm64: 170 },
  clock_settime: { x64: 227, arm64: 112 },
  clock_adjtime: { x64: 305, arm64: 266 },
  adjtimex: { x64: 159, arm64: 171 },
  // decided by their arguments
  sched_setparam: { x64: 142, arm64: 118 },
  sched_setscheduler: { x64: 144, arm64: 119 },
  sched_setaffinity: { x64: 203, arm64: 122 },
  sched_setattr: { x64: 314, arm64: 274 },
  setpriority: { x64: 141, arm64: 140 },
  ioprio_set: { x64: 251, arm64: 30 },
  personality: { x64: 135, arm64: 92 },
  socketpair: { x64: 53, arm64: 199 },
  prlimit64: { x64: 302, arm64: 261 },
  socket: { x64: 41, arm64: 198 },
  ioctl: { x64: 16, arm64: 29 },
} as const satisfies Record<string, Record<Architecture, number | null>>;

export type Syscall = keyof typeof SYSCALLS;
