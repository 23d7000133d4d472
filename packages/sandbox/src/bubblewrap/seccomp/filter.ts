import { constants } from 'node:os';
import { assemble, type Instruction } from './assembler.js';
import { type Architecture, AUDIT_ARCHITECTURE, SYSCALLS, type Syscall } from './syscalls.js';

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const FAIL = 0x0005_0000;
const EPERM = FAIL | constants.errno.EPERM;
/** Tells the C library to fall back to an older call whose flags the filter can see. */
const ENOSYS = FAIL | constants.errno.ENOSYS;
const EAFNOSUPPORT = FAIL | constants.errno.EAFNOSUPPORT;

/** Offsets in `struct seccomp_data`; of 64-bit arguments the low half (both architectures are little endian). */
const DATA = { number: 0, architecture: 4, argument: (index: number) => 16 + 8 * index };

/** Calls of the x32 ABI carry this bit; the architecture field does not tell them from x86-64. */
const X32_BIT = 0x4000_0000;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACE_FLAGS = 0x7e02_0000;

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Anything else (vsock, alg, packet, …) reaches past an empty network namespace or into rarely tested kernel code. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

/** TIOCSTI and TIOCLINUX type into a terminal. */
const TERMINAL_INJECTIONS = [0x5412, 0x541c];

const EXAMINED: readonly Syscall[] = ['clone', 'clone3', 'prlimit64', 'socket', 'ioctl'];

/** The filter of every process in a sandbox: a deny list with EPERM over an otherwise open kernel. */
export function seccompFilter(architecture: Architecture): Buffer {
  return assemble(seccompProgram(architecture));
}

function seccompProgram(architecture: Architecture): Instruction[] {
  return [
    { op: 'load', offset: DATA.architecture },
    { op: 'jump_if', test: 'equal', value: AUDIT_ARCHITECTURE[architecture], to: 'native' },
    { op: 'return', value: KILL_PROCESS },
    { op: 'label', name: 'native' },
    { op: 'load', offset: DATA.number },
    ...(architecture === 'x64' ? refuseX32() : []),
    ...numbersOf(['clone3'], architecture).map((value) => jumpIfEqual(value, 'enosys')),
    ...numbersOf(['clone'], architecture).map((value) => jumpIfEqual(value, 'clone')),
    ...numbersOf(['prlimit64'], architecture).map((value) => jumpIfEqual(value, 'limits')),
    ...numbersOf(['socket'], architecture).map((value) => jumpIfEqual(value, 'socket')),
    ...numbersOf(['ioctl'], architecture).map((value) => jumpIfEqual(value, 'ioctl')),
    ...numbersOf(deniedSyscalls(), architecture).map((value) => jumpIfEqual(value, 'eperm')),
    { op: 'label', name: 'allow' },
    { op: 'return', value: ALLOW },
    { op: 'label', name: 'clone' },
    { op: 'load', offset: DATA.argument(0) },
    { op: 'jump_if', test: 'any_bit', value: NAMESPACE_FLAGS, to: 'eperm' },
    { op: 'return', value: ALLOW },
    // Limits of others of the same user, who may be serving or testing us, are not ours to set.
    { op: 'label', name: 'limits' },
    { op: 'load', offset: DATA.argument(0) },
    { op: 'jump_if', test: 'greater_equal', value: 1, to: 'eperm' },
    { op: 'return', value: ALLOW },
    { op: 'label', name: 'socket' },
    { op: 'load', offset: DATA.argument(0) },
    ...SOCKET_FAMILIES.map((family) => jumpIfEqual(family, 'fine')),
    { op: 'return', value: EAFNOSUPPORT },
    { op: 'label', name: 'ioctl' },
    { op: 'load', offset: DATA.argument(1) },
    ...TERMINAL_INJECTIONS.map((request) => jumpIfEqual(request, 'eperm')),
    { op: 'label', name: 'fine' },
    { op: 'return', value: ALLOW },
    { op: 'label', name: 'enosys' },
    { op: 'return', value: ENOSYS },
    { op: 'label', name: 'eperm' },
    { op: 'return', value: EPERM },
  ];
}

export function deniedSyscalls(): Syscall[] {
  return (Object.keys(SYSCALLS) as Syscall[]).filter((name) => !EXAMINED.includes(name));
}

function refuseX32(): Instruction[] {
  return [{ op: 'jump_if', test: 'greater_equal', value: X32_BIT, to: 'enosys' }];
}

function numbersOf(names: readonly Syscall[], architecture: Architecture): number[] {
  return names.map((name) => SYSCALLS[name][architecture]).filter((number) => number !== null);
}

function jumpIfEqual(value: number, to: string): Instruction {
  return { op: 'jump_if', test: 'equal', value, to };
}
