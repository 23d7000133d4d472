import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assemble, deniedSyscalls, seccompFilter } from './filter.js';
import { type Architecture, AUDIT_ARCHITECTURE, SYSCALLS, type Syscall } from './syscalls.js';

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const EAFNOSUPPORT = 0x0005_0061;
const ARCHITECTURES: Architecture[] = ['x64', 'arm64'];

describe.each(ARCHITECTURES)('the filter for %s', (architecture) => {
  const filter = seccompFilter(architecture);
  const number = (name: Syscall) => SYSCALLS[name][architecture] ?? -1;
  const verdict = (call: number, ...args: number[]) =>
    interpret(filter, { call, architecture: AUDIT_ARCHITECTURE[architecture], args });

  test('the filter refuses every denied call with EPERM', () => {
    for (const name of deniedSyscalls()) {
      if (SYSCALLS[name][architecture] !== null) expect([name, verdict(number(name))]).toEqual([name, EPERM]);
    }
  });

  test('the filter hides clone3, and clone with any namespace flag', () => {
    expect(verdict(number('clone3'))).toBe(ENOSYS);
    expect(verdict(number('clone'), 0x11)).toBe(ALLOW);
    for (const flag of [
      0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
    ]) {
      expect(verdict(number('clone'), flag | 0x11)).toBe(EPERM);
    }
  });

  test("the filter lets a process set limits of its own, and no other process's", () => {
    expect(verdict(number('prlimit64'), 0, 7)).toBe(ALLOW);
    for (const pid of [1, 2, 0x7fff_ffff, 0xffff_ffff]) {
      expect(verdict(number('prlimit64'), pid, 7)).toBe(EPERM);
    }
  });

  test.each(['socket', 'socketpair'] as const)('the filter lets only four families through %s', (call) => {
    const allowed = [1, 2, 10, 16];
    for (let family = 0; family < 50; family++) {
      expect(verdict(number(call), family)).toBe(allowed.includes(family) ? ALLOW : EAFNOSUPPORT);
    }
  });

  test('the filter lets only the routing protocol of netlink through', () => {
    expect(verdict(number('socket'), 16, 3, 0)).toBe(ALLOW);
    for (let protocol = 1; protocol < 24; protocol++)
      expect(verdict(number('socket'), 16, 3, protocol)).toBe(EAFNOSUPPORT);
  });

  test('the filter lets a process change the scheduling of itself and of no other', () => {
    for (const name of [
      'sched_setscheduler',
      'sched_setparam',
      'sched_setattr',
      'sched_setaffinity',
    ] as const) {
      expect(verdict(number(name), 0, 5)).toBe(ALLOW);
      for (const pid of [1, 2, 0xffff_ffff]) expect(verdict(number(name), pid, 5)).toBe(EPERM);
    }
    expect(verdict(number('setpriority'), 0, 0, 19)).toBe(ALLOW);
    expect(verdict(number('ioprio_set'), 1, 0, 3)).toBe(ALLOW);
    for (const [which, who] of [
      [0, 1],
      [1, 0],
      [2, 0],
      [2, 1000],
    ] as const) {
      expect(verdict(number('setpriority'), which, who, 19)).toBe(EPERM);
      expect(verdict(number('ioprio_set'), which + 1, who, 3)).toBe(EPERM);
    }
  });

  test('the filter lets a process read its execution domain and set none but that of Linux', () => {
    expect(verdict(number('personality'), 0xffff_ffff)).toBe(ALLOW);
    expect(verdict(number('personality'), 0)).toBe(ALLOW);
    for (const persona of [8, 0x0004_0000, 0x0040_0000])
      expect(verdict(number('personality'), persona)).toBe(EPERM);
  });

  test('the filter stops typing into terminals and no other ioctl', () => {
    expect(verdict(number('ioctl'), 0, 0x5412)).toBe(EPERM);
    expect(verdict(number('ioctl'), 0, 0x541c)).toBe(EPERM);
    expect(verdict(number('ioctl'), 0, 0x5413)).toBe(ALLOW);
  });

  test('the filter kills a process that calls through another architecture', () => {
    const others = [
      0x4000_0003,
      0x4000_0028,
      ...ARCHITECTURES.filter((other) => other !== architecture).map((other) => AUDIT_ARCHITECTURE[other]),
    ];
    for (const other of others)
      expect(interpret(filter, { call: 1, architecture: other, args: [] })).toBe(KILL);
  });

  test('the filter allows every call that it does not name', () => {
    const named = new Set(Object.values(SYSCALLS).map((numbers) => numbers[architecture]));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 600 }), (call) => {
        expect(verdict(call)).toBe(named.has(call as never) ? verdict(call) : ALLOW);
      }),
    );
  });
});

test('x32 calls do not exist', () => {
  const filter = seccompFilter('x64');
  const verdict = interpret(filter, {
    call: 0x4000_0000 | 39,
    architecture: AUDIT_ARCHITECTURE.x64,
    args: [],
  });
  expect(verdict).toBe(ENOSYS);
});

test('the assembler refuses jumps that BPF cannot make', () => {
  const far = Array.from({ length: 300 }, () => ({ op: 'return', value: 0 }) as const);
  const jump = { op: 'jump_if', test: 'equal', value: 1, to: 'end' } as const;
  expect(() => assemble([jump, ...far, { op: 'label', name: 'end' }])).toThrow(RangeError);
  expect(() => assemble([{ op: 'label', name: 'end' }, jump])).toThrow(RangeError);
});

interface Call {
  call: number;
  architecture: number;
  args: number[];
}

/** A classic BPF machine for the few instructions that filters use. */
function interpret(filter: Buffer, { call, architecture, args }: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(at * 8);
    const [jumpTrue, jumpFalse] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
    const k = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else if (code === 0x06) return k;
    else if (code === 0x05) at += k;
    else if (code === 0x15) at += accumulator === k ? jumpTrue : jumpFalse;
    else if (code === 0x35) at += accumulator >= k ? jumpTrue : jumpFalse;
    else if (code === 0x45) at += (accumulator & k) !== 0 ? jumpTrue : jumpFalse;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('fell off the end');
}
