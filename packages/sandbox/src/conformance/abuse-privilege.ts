import { expect } from '@jest/globals';
import { SYSCALLS } from '../seccomp/syscalls.js';
import { output, python, type SandboxTest, sh } from './bench.js';

const CALLS = `
import ctypes, json, os, platform
libc = ctypes.CDLL(None, use_errno=True)
column = 'x64' if platform.machine() == 'x86_64' else 'arm64'
numbers = json.loads('${JSON.stringify(SYSCALLS)}')
def call(name, *arguments):
    number = numbers[name][column]
    if number is None: return 'absent'
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    return 'done' if result >= 0 else os.strerror(ctypes.get_errno())
`;

/** `server` is the process that serves the sandbox. */
const SIGNALS = `
import ctypes, fcntl, os, signal, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
def parent(pid): return int(open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1])
above = [parent(os.getpid())]
while parent(above[-1]) > 0: above.append(parent(above[-1]))
server = above[:3][-1] # above the reaper of this command, and what started that
def attempt(work):
    try: work()
    except OSError: pass
def owned(own):
    other, one = socket.socketpair() # an ended process releases the higher descriptor first
    attempt(lambda: own(one))
    fcntl.fcntl(one, 10, signal.SIGKILL)
    fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC)
    other.send(b'x')
def by_descriptor(fd): libc.syscall(424, fd, signal.SIGKILL, None, 0)
`;

const SIGNALS_TO_ONE = `
attempt(lambda: os.kill(server, signal.SIGKILL))
kill, thread, queue = (200, 234, 129) if os.uname().machine == 'x86_64' else (130, 131, 138)
libc.syscall(kill, server, signal.SIGKILL)
libc.syscall(thread, server, server, signal.SIGKILL)
libc.syscall(queue, server, signal.SIGKILL, ctypes.create_string_buffer(128))
attempt(lambda: by_descriptor(os.pidfd_open(server)))
attempt(lambda: by_descriptor(os.open(f'/proc/{server}', os.O_RDONLY | os.O_DIRECTORY)))
owned(lambda one: fcntl.fcntl(one, fcntl.F_SETOWN, server))
owned(lambda one: fcntl.fcntl(one, 15, struct.pack('ii', 1, server)))
for request in (0x8901, 0x8902): owned(lambda one: fcntl.ioctl(one, request, struct.pack('i', server)))
print('tried')
`;

/**
 * The last act of a command each: where they kill what started the command, its end is reported while it still runs, and
 * whatever it killed later would be the command that is then tested. So would the signal of a socket whose other end is
 * released before it.
 */
const SIGNALS_TO_MANY = [
  'os.kill(-server, signal.SIGKILL)',
  'owned(lambda one: fcntl.fcntl(one, fcntl.F_SETOWN, -server))',
  'os.kill(-1, signal.SIGKILL)',
];

export const PRIVILEGE_ABUSE: SandboxTest[] = [
  {
    id: 'abuse.priv.status',
    guarantee: 'commands have no capability, cannot gain any, and run under the filter',
    run: async (bench) => {
      const session = await bench.open();
      const status = await output(session, 'cat /proc/self/status');
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd'])
        expect(status).toMatch(new RegExp(`${set}:\\t0+\\n`));
      expect(status).toMatch(/Seccomp:\t2\n/);
      expect(status).toMatch(/Uid:\t([1-9]\d*)\t\1\t\1\t\1\n/);
    },
  },
  {
    id: 'abuse.priv.no-new-privileges',
    guarantee:
      'the kernel shows that commands have no ambient capability and gain nothing by a program that they run',
    run: async (bench) => {
      const status = await output(await bench.open(), 'cat /proc/self/status');
      expect(status).toMatch(/CapAmb:\t0+\n/);
      expect(status).toMatch(/NoNewPrivs:\t1\n/);
    },
  },
  {
    id: 'abuse.priv.no-root',
    guarantee: 'no way of switching users works',
    run: async (bench) => {
      const session = await bench.open();
      const own = await output(session, 'id -u');
      expect(own).not.toBe('0');
      await sh(session, 'cp /bin/sh rootsh; chmod 6755 rootsh');
      const tries = [
        'su -c "id -u" root',
        'sudo -n id -u',
        './rootsh -p -c "id -u"',
        'chown 0:0 rootsh',
        'newgrp root',
      ];
      for (const attempt of tries) {
        const result = await session.exec(['sh', '-c', attempt], { timeoutMs: 10_000 });
        expect([attempt, result.exitCode === 0 && result.stdout.toString() !== `${own}\n`]).toEqual([
          attempt,
          false,
        ]);
      }
      const result = await python(
        session,
        `
import os
for name, arguments in [('setuid',(0,)),('setgid',(0,)),('setgroups',([0],)),('setresuid',(0,0,0)),('chown',('/workspace/rootsh',0,0))]:
    try: getattr(os, name)(*arguments); print(name)
    except OSError: pass
`,
      );
      expect(result.stdout.toString()).toBe('');
    },
  },
  {
    id: 'abuse.priv.namespaces',
    guarantee: 'no namespace can be made or entered, nothing mounted',
    run: async (bench) => {
      const session = await bench.open();
      const tries = [
        'unshare -U true',
        'unshare -Ur true',
        'unshare -n true',
        'unshare -m true',
        'unshare -p -f true',
        'unshare -i true',
        'nsenter -t 1 -m true',
        'chroot / true',
        'mount -t tmpfs x /tmp',
        'mount --bind /usr /workspace',
        'umount /proc',
        'umount /tmp',
        'bwrap --ro-bind / / true',
      ];
      for (const attempt of tries) {
        expect([
          attempt,
          (await session.exec(['sh', '-c', attempt], { timeoutMs: 10_000 })).exitCode,
        ]).not.toEqual([attempt, 0]);
      }
      const flags = {
        NEWNS: 0x20000,
        NEWCGROUP: 0x2000000,
        NEWUTS: 0x4000000,
        NEWIPC: 0x8000000,
        NEWUSER: 0x10000000,
        NEWPID: 0x20000000,
        NEWNET: 0x40000000,
      };
      const result = await python(
        session,
        `${CALLS}
import struct
for name, flag in ${JSON.stringify(flags)}.items():
    print(name, call('clone', flag | 17, 0, 0, 0, 0), call('unshare', flag))
arguments = ctypes.create_string_buffer(struct.pack('11Q', 0x10000000, 0,0,0, 17, 0,0,0,0,0,0))
print('clone3', call('clone3', arguments, 88))
`,
      );
      const lines = result.stdout.toString().trim().split('\n');
      expect(lines.pop()).toBe('clone3 Function not implemented');
      expect(lines).toEqual(
        Object.keys(flags).map((name) => `${name} Operation not permitted Operation not permitted`),
      );
    },
  },
  {
    id: 'abuse.priv.syscalls',
    guarantee: 'dangerous system calls fail without reaching the kernel',
    run: async (bench) => {
      const session = await bench.open();
      const names = [
        'ptrace',
        'process_vm_readv',
        'process_vm_writev',
        'pidfd_getfd',
        'bpf',
        'io_uring_setup',
        'userfaultfd',
        'perf_event_open',
        'keyctl',
        'add_key',
        'request_key',
        'open_by_handle_at',
        'init_module',
        'finit_module',
        'kexec_load',
        'reboot',
        'settimeofday',
        'clock_settime',
        'adjtimex',
        'setns',
        'mount',
        'umount2',
        'pivot_root',
        'chroot',
        'fsopen',
        'open_tree',
        'move_mount',
        'mount_setattr',
        'swapon',
        'sethostname',
        'acct',
        'syslog',
        'fanotify_init',
        'kcmp',
        'memfd_secret',
        'io_setup',
      ];
      const result = await python(
        session,
        `${CALLS}
for name in ${JSON.stringify(names)}: print(name, call(name, 0, 0, 0, 0, 0, 0))
`,
      );
      const lines = result.stdout.toString().trim().split('\n');
      expect(lines).toEqual(names.map((name) => `${name} Operation not permitted`));
    },
  },
  {
    id: 'abuse.priv.foreign-abi',
    guarantee: '32-bit and x32 system calls end in ENOSYS or death',
    run: async (bench) => {
      const session = await bench.open();
      const x32 = await python(
        session,
        `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(0x40000000 | 39) if os.uname().machine == 'x86_64' else -1)`,
      );
      expect(x32.stdout.toString().trim() === '-1' || x32.signal === 'SIGSYS').toBe(true);
      const i386 = await python(
        session,
        `
import ctypes, mmap, os
if os.uname().machine != 'x86_64': os.kill(os.getpid(), 31)
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3]))
print(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))())`,
      );
      const isUnknown = i386.stdout.toString() === '-38\n';
      expect(isUnknown || (i386.signal === 'SIGSYS' && i386.stdout.length === 0)).toBe(true);
    },
  },
  {
    id: 'abuse.priv.first-process',
    guarantee: 'the first process can be neither inspected, impersonated, stopped nor killed',
    run: async (bench) => {
      const session = await bench.open();
      const look = await sh(
        session,
        'cd /proc/1; for f in environ maps mem auxv; do head -c1 $f; done; ls fd root/ cwd/ map_files; echo x > fd/1; readlink exe root cwd fd/1',
      );
      expect(look.stdout.toString()).toBe('');
      await sh(session, 'kill -9 1; kill -STOP 1; kill -TERM 1; kill -ALRM 1; kill -SEGV 1; sleep 0.05');
      await session.ping();
      expect(await output(session, 'echo fine')).toBe('fine');
    },
  },
  {
    id: 'abuse.priv.signals',
    guarantee:
      'the process that serves the sandbox gets no signal by any call, by a descriptor or for its group',
    run: async (bench) => {
      const session = await bench.open();
      const one = await python(session, `${SIGNALS}${SIGNALS_TO_ONE}`);
      expect(one.stdout.toString()).toBe('tried\n');
      for (const last of SIGNALS_TO_MANY) {
        const result = await python(session, `${SIGNALS}attempt(lambda: ${last})\nprint('tried')`);
        // A signal to many may end the command itself, where it ends nothing else.
        expect(result.stdout.toString() === 'tried\n' || result.signal === 'SIGKILL').toBe(true);
        await session.ping();
        expect(await output(session, 'echo fine')).toBe('fine');
      }
    },
  },
  {
    id: 'abuse.priv.limits-of-others',
    guarantee: 'a command cannot take descriptors, memory or time from the processes that serve or test it',
    run: async (bench) => {
      const session = await bench.open();
      const result = await python(
        session,
        `
import os, resource
for process in map(int, filter(str.isdigit, os.listdir('/proc'))):
    if process == os.getpid(): continue
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_AS, resource.RLIMIT_CPU):
        try: print(process, resource.prlimit(process, limit, (0, 0)))
        except (PermissionError, ProcessLookupError): pass
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
print(resource.getrlimit(resource.RLIMIT_NOFILE))`,
      );
      expect(result.stdout.toString()).toBe('(64, 64)\n');
      await session.writeFile('kept', 'kept');
      expect((await session.readFile('kept')).data.toString()).toBe('kept');
    },
  },
  {
    id: 'abuse.priv.scheduling-of-others',
    guarantee: 'a command cannot slow down or pin the processes that serve or test it',
    run: async (bench) => {
      const session = await bench.open();
      const result = await python(
        session,
        `${CALLS}
import struct
none = ctypes.create_string_buffer(64)
for process in map(int, filter(str.isdigit, os.listdir('/proc'))):
    if process == os.getpid(): continue
    for name in ('sched_setscheduler', 'sched_setparam', 'sched_setattr', 'sched_setaffinity'):
        if call(name, process, 8, none) != 'Operation not permitted': print(process, name)
for which in (0, 1, 2):
    for who in (1, os.getppid()):
        if call('setpriority', which, who, 19) != 'Operation not permitted': print('setpriority', which, who)
        if call('ioprio_set', which + 1, who, 3 << 13) != 'Operation not permitted': print('ioprio_set', which, who)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
own = os.getpriority(os.PRIO_PROCESS, 0)
os.setpriority(os.PRIO_PROCESS, 0, own + 1)
print(os.getpriority(os.PRIO_PROCESS, 0) - own)`,
      );
      expect(result.stdout.toString()).toBe('1\n');
    },
  },
  {
    id: 'abuse.priv.descriptors',
    guarantee: 'a command has descriptors 0 to 2 and no others, and no terminal',
    run: async (bench) => {
      const session = await bench.open();
      const result = await python(
        session,
        `
import os
print(sorted(int(f) for f in os.listdir('/proc/self/fd'))[:-1])
print([os.isatty(f) for f in range(3)])
try: os.open('/dev/tty', os.O_RDWR); print('tty')
except OSError: pass
`,
      );
      expect(result.stdout.toString()).toBe('[0, 1, 2]\n[False, False, False]\n');
    },
  },
  {
    id: 'abuse.priv.kernel-files',
    guarantee: 'kernel switches cannot be turned and kernel secrets not read',
    run: async (bench) => {
      const session = await bench.open();
      const targets = [
        '/proc/sys/kernel/core_pattern',
        '/proc/sysrq-trigger',
        '/proc/sys/vm/drop_caches',
        '/proc/sys/kernel/hostname',
        '/proc/sys/user/max_user_namespaces',
        '/proc/1/oom_score_adj',
        '/proc/sys/kernel/ns_last_pid',
      ];
      for (const target of targets) {
        expect([target, (await sh(session, `echo 1 > ${target}`)).exitCode]).not.toEqual([target, 0]);
      }
      expect(await output(session, 'dmesg; ls /proc/kcore-x 2>/dev/null; head -c1 /proc/kcore')).toBe('');
      expect(await output(session, 'grep -v "^0*[ ]" /proc/kallsyms | head -1')).toBe('');
      for (const attempt of ['reboot -f', 'date -s 2001-01-01', 'hostname other', 'ulimit -n 100000']) {
        const result = await session.exec(['sh', '-c', attempt], { timeoutMs: 10_000 });
        expect([attempt, result.exitCode]).not.toEqual([attempt, 0]);
      }
      expect((await sh(session, 'hostname')).stdout.toString()).toBe('sandbox\n');
      expect(new Date().getFullYear()).toBeGreaterThan(2001);
    },
  },
  {
    id: 'abuse.priv.kill-everything',
    guarantee: 'after a command has killed all it can, the next one works',
    run: async (bench) => {
      const session = await bench.open();
      for (let round = 0; round < 3; round++) {
        expect(await session.exec(['sh', '-c', 'kill -9 -1'], { timeoutMs: 10_000 })).toMatchObject({
          timedOut: false,
        });
        expect(await output(session, 'echo fine')).toBe('fine');
      }
      const stopped = await session.exec(['sh', '-c', 'kill -STOP -1; sleep 300'], { timeoutMs: 500 });
      expect(stopped.timedOut).toBe(true);
      expect(await output(session, 'echo fine')).toBe('fine');
    },
  },
];
