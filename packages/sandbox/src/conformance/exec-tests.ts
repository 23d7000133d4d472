import { PassThrough } from 'node:stream';
import { expect } from '@jest/globals';
import { counting, eventually, expectError, output, type SandboxTest, sh } from './bench.js';

export const EXEC_TESTS: SandboxTest[] = [
  {
    id: 'exec.exit-codes',
    guarantee: 'exit codes 0 to 255 come back as they are, as results',
    run: async (bench) => {
      const session = await bench.open();
      const codes = [0, 1, 2, 42, 126, 127, 128, 137, 255];
      const results = await Promise.all(codes.map((code) => sh(session, `exit ${code}`)));
      expect(results.map((result) => result.exitCode)).toEqual(codes);
      expect(results.every((result) => result.signal === undefined && !result.timedOut)).toBe(true);
    },
  },
  {
    id: 'exec.signals',
    guarantee: 'a command that a signal ended has it as 128 + number and by name in its result',
    run: async (bench) => {
      const session = await bench.open();
      expect(await sh(session, 'kill -TERM $$')).toMatchObject({ exitCode: 143, signal: 'SIGTERM' });
      expect(await sh(session, 'kill -SEGV $$')).toMatchObject({ exitCode: 139, signal: 'SIGSEGV' });
    },
  },
  {
    id: 'exec.not-found',
    guarantee: 'a missing program is exit 127, one that is not executable 126',
    run: async (bench) => {
      const session = await bench.open();
      await session.writeFile('plain', 'text');
      expect((await session.exec(['no-such-program'])).exitCode).toBe(127);
      expect((await session.exec(['./plain'])).exitCode).toBe(126);
    },
  },
  {
    id: 'exec.binary',
    guarantee: 'binary output, NUL and invalid UTF-8 pass unchanged, on both streams apart',
    run: async (bench) => {
      const session = await bench.open();
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
      const result = await session.exec(['sh', '-c', 'cat; printf "\\377\\000x" >&2'], { stdin: bytes });
      expect(result.stdout.equals(bytes)).toBe(true);
      expect(result.stderr).toEqual(Buffer.from([0xff, 0, 0x78]));
    },
  },
  {
    id: 'exec.stdin',
    guarantee: 'standard input of any size arrives whole; without one it is at its end',
    run: async (bench) => {
      const session = await bench.open();
      const script = `${'# padding\n'.repeat(20_000)}echo done`;
      expect((await sh(session, script)).stdout.toString()).toBe('done\n');
      const large = Buffer.alloc(3_000_001, 'x');
      const counted = await session.exec(['wc', '-c'], { stdin: large });
      expect(Number(counted.stdout)).toBe(large.length);
      expect((await session.exec(['cat'], { timeoutMs: 5_000 })).exitCode).toBe(0);
    },
  },
  {
    id: 'exec.stdin-unread',
    guarantee: 'input that the command does not read holds nothing up',
    run: async (bench) => {
      const session = await bench.open();
      const result = await session.exec(['true'], { stdin: Buffer.alloc(2_000_000), timeoutMs: 5_000 });
      expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    },
  },
  {
    id: 'exec.stdin-stalled',
    guarantee: 'a command that ends while its input stalls returns',
    run: async (bench) => {
      const session = await bench.open();
      const stalled = (async function* () {
        yield Buffer.from('one\n');
        await new Promise(() => {});
      })();
      const result = await session.exec(['head', '-n', '1'], { stdin: stalled, timeoutMs: 5_000 });
      expect(result).toMatchObject({ exitCode: 0, timedOut: false, stdout: Buffer.from('one\n') });
    },
  },
  {
    id: 'exec.stdin-broken',
    guarantee: 'input that fails ends the command, and the call fails with that error',
    run: async (bench) => {
      const session = await bench.open();
      const broken = (async function* () {
        yield Buffer.from('one\n');
        throw new Error('source broke');
      })();
      await expect(session.exec(['cat'], { stdin: broken, timeoutMs: 5_000 })).rejects.toThrow(
        'source broke',
      );
      expect(await output(session, counting('cat'))).toBe('0');
    },
  },
  {
    id: 'exec.streaming',
    guarantee: 'output arrives while the command runs',
    run: async (bench) => {
      const session = await bench.open();
      let seen = '';
      const running = session.exec(['sh', '-c', 'echo first; read line; echo "$line"'], {
        timeoutMs: 10_000,
        onStdout: (chunk) => {
          seen += Buffer.from(chunk).toString();
        },
        stdin: (async function* () {
          await eventually(async () => seen === 'first\n');
          yield Buffer.from('second\n');
        })(),
      });
      expect((await running).stdout.toString()).toBe('first\nsecond\n');
      expect(seen).toBe('first\nsecond\n');
    },
  },
  {
    id: 'exec.tail',
    guarantee:
      'a command with a kept tail passes more output on than a sandbox keeps, and its result is the end of it',
    run: async (bench) => {
      const session = await bench.open({
        limits: {
          ...{ cpu: 1, memoryBytes: 64 << 20, pids: 64 },
          workspaceBytes: 1 << 20,
          outputBytes: 100_000,
        },
      });
      let passed = 0;
      const result = await sh(session, 'head -c 300000 /dev/zero; printf end; printf error >&2', {
        outputBytesMax: 1_000_000,
        tailBytes: 4,
        onStdout: (chunk) => {
          passed += chunk.length;
        },
      });
      expect(passed).toBe(300_003);
      expect(result).toMatchObject({
        truncated: false,
        stdout: Buffer.from('\0end'),
        stderr: Buffer.from('rror'),
      });
      const capped = await sh(session, 'head -c 300000 /dev/zero', { outputBytesMax: 200_000, tailBytes: 4 });
      expect(capped).toMatchObject({ truncated: true, stdout: Buffer.alloc(4) });
    },
  },
  {
    id: 'exec.environment',
    guarantee: "commands see the spec's and the call's variables and none of the host's",
    run: async (bench) => {
      const session = await bench.open({ env: { FROM_SPEC: 'a b', BOTH: 'spec' } });
      const result = await session.exec(['env'], { env: { BOTH: 'call', FROM_CALL: "it's" } });
      const lines = result.stdout.toString().split('\n');
      expect(lines).toEqual(expect.arrayContaining(['FROM_SPEC=a b', 'BOTH=call', "FROM_CALL=it's"]));
      const allowed = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|TMPDIR|PWD|FROM_SPEC|BOTH|FROM_CALL)=|^$/;
      expect(lines.filter((line) => !allowed.test(line))).toEqual([]);
    },
  },
  {
    id: 'exec.cwd',
    guarantee: 'a command starts in the working directory or the given one, which must lie in a root',
    run: async (bench) => {
      const session = await bench.open();
      await session.writeFile('src/a', '');
      expect((await session.exec(['pwd'])).stdout.toString()).toBe('/workspace\n');
      expect((await session.exec(['pwd'], { cwd: 'src' })).stdout.toString()).toBe('/workspace/src\n');
      expect((await session.exec(['pwd'], { cwd: '/tmp', roots: ['/'] })).stdout.toString()).toBe('/tmp\n');
      await expectError(session.exec(['pwd'], { cwd: '/etc' }), 'not_permitted');
      await expectError(session.exec(['pwd'], { cwd: 'missing' }), 'not_found');
      await expectError(session.exec(['pwd'], { cwd: 'src/a' }), 'not_directory');
    },
  },
  {
    id: 'exec.timeout',
    guarantee: 'a command dies at its deadline with all its processes, even if it ignores signals',
    run: async (bench) => {
      const session = await bench.open();
      const script = `trap '' TERM INT HUP; setsid sleep 300 & (sleep 300 &) ; sleep 300`;
      const result = await sh(session, script, { timeoutMs: 400 });
      expect(result).toMatchObject({ timedOut: true, exitCode: 137, signal: 'SIGKILL' });
      expect(result.durationMs).toBeLessThan(3_000);
      expect(await output(session, counting('sleep'))).toBe('0');
    },
  },
  {
    id: 'exec.abort',
    guarantee: 'an aborted command dies and the call rejects with the reason',
    run: async (bench) => {
      const session = await bench.open();
      const controller = new AbortController();
      const reason = new Error('enough');
      const running = session.exec(['sh', '-c', 'echo up; sleep 300'], {
        signal: controller.signal,
        onStdout: () => controller.abort(reason),
      });
      await expect(running).rejects.toBe(reason);
      expect(await output(session, counting('sleep'))).toBe('0');
    },
  },
  {
    id: 'exec.background',
    guarantee: 'a background job outlives its command, which returns at once',
    run: async (bench) => {
      const session = await bench.open();
      const result = await sh(session, 'sleep 300 & echo started', { timeoutMs: 10_000 });
      expect(result).toMatchObject({ exitCode: 0, timedOut: false });
      expect(result.durationMs).toBeLessThan(5_000);
      // The shell's child may not have become the job yet.
      await eventually(async () => (await output(session, counting('sleep'))) === '1');
    },
  },
  {
    id: 'exec.output-cap',
    guarantee: 'both streams share one cap; what exceeds it is dropped and reported as truncated',
    run: async (bench) => {
      const session = await bench.open({
        limits: {
          ...{ cpu: 1, memoryBytes: 64 << 20, pids: 64 },
          workspaceBytes: 1 << 20,
          outputBytes: 100_000,
        },
      });
      const result = await sh(
        session,
        'head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; echo end; exit 3',
      );
      expect(result.stdout.length + result.stderr.length).toBe(100_000);
      expect(result).toMatchObject({ truncated: true, exitCode: 3 });
      const exact = await sh(session, 'head -c 100000 /dev/zero');
      expect(exact).toMatchObject({ truncated: false });
      expect(exact.stdout.length).toBe(100_000);
      const narrower = await sh(session, 'echo 1234567890', { outputBytesMax: 4 });
      expect(narrower.stdout.toString()).toBe('1234');
    },
  },
  {
    id: 'exec.dialogue',
    guarantee:
      'input follows output while a command runs; output without a kept tail goes to the listeners only',
    run: async (bench) => {
      const session = await bench.open();
      const input = new PassThrough();
      let received = '';
      input.write('1');
      const result = await session.exec(['cat'], {
        stdin: input,
        tailBytes: 0,
        timeoutMs: 10_000,
        onStdout: (chunk) => {
          received += Buffer.from(chunk).toString();
          if (received.length < 3) input.write(String(received.length + 1));
          else input.end();
        },
      });
      expect(received).toBe('123');
      expect(result).toMatchObject({ exitCode: 0, timedOut: false });
      expect(result.stdout).toHaveLength(0);
    },
  },
  {
    id: 'exec.parallel',
    guarantee: '200 commands at once each get their own output',
    run: async (bench) => {
      const session = await bench.open({
        limits: { cpu: 2, memoryBytes: 256 << 20, pids: 1024, workspaceBytes: 1 << 20 },
      });
      const numbers = Array.from({ length: 200 }, (_, index) => index);
      const results = await Promise.all(numbers.map((number) => session.exec(['echo', String(number)])));
      expect(results.map((result) => Number(result.stdout))).toEqual(numbers);
    },
  },
  {
    id: 'exec.arguments',
    guarantee: 'arguments arrive as they are; what cannot be an argument is refused',
    run: async (bench) => {
      const session = await bench.open();
      const odd = ['', ' ', '$HOME', '*', "it's", 'a\nb', '-x', 'ü'];
      const result = await session.exec(['printf', '[%s]', ...odd]);
      expect(result.stdout.toString()).toBe(odd.map((argument) => `[${argument}]`).join(''));
      await expectError(session.exec([]), 'invalid_argument');
      await expectError(session.exec(['echo', 'a\0b']), 'invalid_argument');
      await expectError(session.exec(['echo', 'x'.repeat(3 << 20)]), 'too_large');
    },
  },
  {
    id: 'exec.kill-all',
    guarantee: 'killAll leaves no process and the sandbox works on',
    run: async (bench) => {
      const session = await bench.open();
      const running = session.exec(['sleep', '300']);
      await sh(session, 'setsid sleep 300 & sleep 300 &');
      await session.killAll();
      expect(await running).toMatchObject({ exitCode: 137, signal: 'SIGKILL', timedOut: false });
      expect(await output(session, counting('sleep'))).toBe('0');
    },
  },
];
