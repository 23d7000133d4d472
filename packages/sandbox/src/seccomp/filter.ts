import { constants } from 'node:os';
import { type Architecture, AUDIT_ARCHITECTURE, SYSCALLS, type Syscall } from './syscalls.js';

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const FAIL = 0x0005_0000;
const EPERM = FAIL | constants.errno.EPERM;
/** Makes the C library fall back to an older call whose flags the filter can see. */
const ENOSYS = FAIL | constants.errno.ENOSYS;
const EAFNOSUPPORT = FAIL | constants.errno.EAFNOSUPPORT;

/** Offsets in `struct seccomp_data`; of 64-bit arguments the low half (both architectures are little endian). */
const DATA = { number: 0, architecture: 4, argument: (index: number) => 16 + 8 * index };

/** Calls of the x32 ABI carry this bit; the architecture field does not distinguish them from x86-64. */
const X32_BIT = 0x4000_0000;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACE_FLAGS = 0x7e02_0000;

/**
 * AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Anything else (vsock, alg, packet, …) reaches past an empty network
 * namespace or into rarely tested kernel code.
 */
const SOCKET_FAMILIES = [1, 2, 10, 16];

/** TIOCSTI and TIOCLINUX type into a terminal. */
const TERMINAL_INJECTIONS = [0x5412, 0x541c];

/** NETLINK_ROUTE: what `ip addr` needs. The other protocols reach kernel code that nothing in a sandbox needs. */
const NETLINK = 16;
const NETLINK_ROUTE = 0;

/** Reading the execution domain, and the one of Linux. Others change how memory is laid out, for tracers. */
const PERSONALITIES = [0xffff_ffff, 0];

const IOPRIO_WHO_PROCESS = 1;

/** A check of one argument; what passes every check of its call is allowed. */
interface ArgumentCheck {
  argument: number;
  /** Allowed values; any other ends as `otherwise`. */
  isOneOf?: readonly number[];
  /** Bits that end as `otherwise`. */
  hasNone?: number;
  /** Values that end as `otherwise`. */
  isNone?: readonly number[];
  otherwise: 'eperm' | 'unsupported_family';
}

const OF_ITSELF: readonly ArgumentCheck[] = [{ argument: 0, isOneOf: [0], otherwise: 'eperm' }];
const OF_ITS_OWN_PROCESS = (which: number): readonly ArgumentCheck[] => [
  { argument: 0, isOneOf: [which], otherwise: 'eperm' },
  { argument: 1, isOneOf: [0], otherwise: 'eperm' },
];
const OF_A_KNOWN_FAMILY: readonly ArgumentCheck[] = [
  { argument: 0, isOneOf: SOCKET_FAMILIES, otherwise: 'unsupported_family' },
];

/** Calls that are decided by their arguments. Processes of the same user serve and test the sandbox: theirs stay unset. */
const EXAMINED: Partial<Record<Syscall, readonly ArgumentCheck[]>> = {
  clone: [{ argument: 0, hasNone: NAMESPACE_FLAGS, otherwise: 'eperm' }],
  prlimit64: OF_ITSELF,
  sched_setparam: OF_ITSELF,
  sched_setscheduler: OF_ITSELF,
  sched_setattr: OF_ITSELF,
  sched_setaffinity: OF_ITSELF,
  setpriority: OF_ITS_OWN_PROCESS(0),
  ioprio_set: OF_ITS_OWN_PROCESS(IOPRIO_WHO_PROCESS),
  personality: [{ argument: 0, isOneOf: PERSONALITIES, otherwise: 'eperm' }],
  socket: OF_A_KNOWN_FAMILY,
  socketpair: OF_A_KNOWN_FAMILY,
  ioctl: [{ argument: 1, isNone: TERMINAL_INJECTIONS, otherwise: 'eperm' }],
};

/** The filter of every process in a sandbox: a deny list with EPERM over an otherwise open kernel. */
export function seccompFilter(architecture: Architecture): Buffer {
  return assemble(seccompProgram(architecture));
}

function seccompProgram(architecture: Architecture): Instruction[] {
  const examined = Object.entries(EXAMINED).filter(
    ([name]) => numbersOf([name as Syscall], architecture).length > 0,
  );
  return [
    { op: 'load', offset: DATA.architecture },
    { op: 'jump_if', test: 'equal', value: AUDIT_ARCHITECTURE[architecture], to: 'native' },
    { op: 'return', value: KILL_PROCESS },
    { op: 'label', name: 'native' },
    { op: 'load', offset: DATA.number },
    ...(architecture === 'x64' ? refuseX32() : []),
    ...numbersOf(['clone3'], architecture).map((value) => jumpIfEqual(value, 'enosys')),
    ...examined.flatMap(([name]) =>
      numbersOf([name as Syscall], architecture).map((value) => jumpIfEqual(value, name)),
    ),
    ...numbersOf(deniedSyscalls(), architecture).map((value) => jumpIfEqual(value, 'eperm')),
    { op: 'return', value: ALLOW },
    ...examined.flatMap(([name, checks]) => [
      { op: 'label', name } as const,
      ...checks.flatMap((check, index) => instructionsOf(check, `${name} ${index}`)),
      ...(name === 'socket' ? netlinkCheck() : []),
      { op: 'return', value: ALLOW } as const,
    ]),
    { op: 'label', name: 'enosys' },
    { op: 'return', value: ENOSYS },
    { op: 'label', name: 'unsupported_family' },
    { op: 'return', value: EAFNOSUPPORT },
    { op: 'label', name: 'eperm' },
    { op: 'return', value: EPERM },
  ];
}

function instructionsOf(check: ArgumentCheck, passed: string): Instruction[] {
  const { argument, isOneOf, hasNone, isNone = [], otherwise } = check;
  const load: Instruction = { op: 'load', offset: DATA.argument(argument) };
  if (isOneOf !== undefined) {
    return [
      load,
      ...isOneOf.map((value) => jumpIfEqual(value, passed)),
      { op: 'jump', to: otherwise },
      { op: 'label', name: passed },
    ];
  }
  const bits = hasNone === undefined ? [] : [anyBit(hasNone, otherwise)];
  return [load, ...bits, ...isNone.map((value) => jumpIfEqual(value, otherwise))];
}

function netlinkCheck(): Instruction[] {
  return [
    jumpIfEqual(NETLINK, 'netlink'),
    { op: 'return', value: ALLOW },
    { op: 'label', name: 'netlink' },
    { op: 'load', offset: DATA.argument(2) },
    jumpIfEqual(NETLINK_ROUTE, 'route'),
    { op: 'jump', to: 'unsupported_family' },
    { op: 'label', name: 'route' },
  ];
}

function anyBit(value: number, to: string): Instruction {
  return { op: 'jump_if', test: 'any_bit', value, to };
}

export function deniedSyscalls(): Syscall[] {
  return (Object.keys(SYSCALLS) as Syscall[]).filter((name) => name !== 'clone3' && !(name in EXAMINED));
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

/** A classic BPF assembler with labels, as far as seccomp filters need it. */

export type Instruction =
  | { op: 'load'; offset: number }
  | { op: 'jump_if'; test: 'equal' | 'greater_equal' | 'any_bit'; value: number; to: string }
  | { op: 'jump'; to: string }
  | { op: 'return'; value: number }
  | { op: 'label'; name: string };

const LOAD_WORD = 0x20;
const RETURN = 0x06;
const JUMP = 0x05;
const JUMP_IF = { equal: 0x15, greater_equal: 0x35, any_bit: 0x45 } as const;
const INSTRUCTION_BYTES = 8;

/** Bytes of the `sock_filter` array. Throws when a conditional jump is longer than 255 instructions or goes back. */
export function assemble(program: readonly Instruction[]): Buffer {
  const code = program.filter((instruction) => instruction.op !== 'label');
  const labels = addresses(program);
  const bytes = Buffer.alloc(code.length * INSTRUCTION_BYTES);
  code.forEach((instruction, at) => {
    const { code: opcode, jumpTrue, k } = encode(instruction, at, labels);
    bytes.writeUInt16LE(opcode, at * INSTRUCTION_BYTES);
    bytes.writeUInt8(jumpTrue, at * INSTRUCTION_BYTES + 2);
    bytes.writeUInt32LE(k >>> 0, at * INSTRUCTION_BYTES + 4);
  });
  return bytes;
}

function addresses(program: readonly Instruction[]): Map<string, number> {
  const labels = new Map<string, number>();
  let at = 0;
  for (const instruction of program) {
    if (instruction.op === 'label') labels.set(instruction.name, at);
    else at++;
  }
  return labels;
}

interface Encoded {
  code: number;
  jumpTrue: number;
  k: number;
}

function encode(instruction: Instruction, at: number, labels: Map<string, number>): Encoded {
  switch (instruction.op) {
    case 'load':
      return { code: LOAD_WORD, jumpTrue: 0, k: instruction.offset };
    case 'return':
      return { code: RETURN, jumpTrue: 0, k: instruction.value };
    case 'jump':
      return { code: JUMP, jumpTrue: 0, k: distance(instruction.to, at, labels) };
    case 'jump_if': {
      const jumpTrue = distance(instruction.to, at, labels);
      if (jumpTrue > 255) throw new RangeError(`jump to ${instruction.to} is too long`);
      return { code: JUMP_IF[instruction.test], jumpTrue, k: instruction.value };
    }
    case 'label':
      throw new Error('a label is no instruction');
  }
}

function distance(label: string, at: number, labels: Map<string, number>): number {
  const target = labels.get(label);
  if (target === undefined || target <= at) throw new RangeError(`no label ${label} ahead`);
  return target - at - 1;
}
