import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AttemptPlan, plannedSandbox } from '@agentclash/attempt-plan';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Clock, systemClock } from '../clock.js';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
const documentOf: string[] = [];
let onRequest: (url: string | undefined) => void = () => undefined;
let server: Server;
let origin: string;

beforeAll(async () => {
  await harness.open();
  server = createServer((request, response) => {
    documentOf.push(`${request.method} ${request.url}`);
    onRequest(request.url);
    response.end('hello from outside');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  origin = `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await harness.close();
});

/** The time of the machine, until it skips an hour and what waited for that. */
class SkippingClock implements Clock {
  private readonly skipped = Promise.withResolvers<void>();
  private skippedMs = 0;

  readonly now = systemClock.now;

  monotonic(): number {
    return systemClock.monotonic() + this.skippedMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const sleep = systemClock.sleep(ms, signal);
    await (this.skippedMs === 0 ? Promise.race([sleep, this.skipped.promise]) : sleep);
  }

  skip(): void {
    this.skippedMs = 3_600_000;
    this.skipped.resolve();
  }
}

/** A program that fetches a URL through the proxies of its environment and prints the result. */
function fetching(url: string, changes: Partial<AttemptPlan> = {}): AttemptPlan {
  const script = `
import sys, urllib.request, urllib.error
try: print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())
except urllib.error.HTTPError as error: print('refused', error.code)
except OSError as error: print('offline')`;
  const plan = attemptPlan({ kind: 'program', config: { command: ['python3', '-c', script, url] } }, changes);
  plan.sandbox = { ...plannedSandbox(), network_access: true, network_allowlist: ['127.0.0.0/8'] };
  return plan;
}

describe('a process of an agent', () => {
  test('a program reaches hosts that the allowlist admits, and the history records it', async () => {
    const { events } = await harness.run(fetching(`${origin}/a`));
    expect(events.payloads('system.output.finalized')[0]?.final_output).toBe('hello from outside\n');
    expect(events.payloads('network.request.completed')).toMatchObject([{ method: 'GET', status: 200 }]);
    expect(events.payloads('system.run.started')[0]?.sandbox).toMatchObject({ egress: 'proxy' });
  });

  test('a program reaches nothing else, and the history records the reason', async () => {
    const { events } = await harness.run(fetching('http://169.254.169.254/latest/meta-data'));
    expect(events.payloads('system.output.finalized')[0]?.final_output).toBe('refused 403\n');
    expect(events.payloads('network.request.blocked')).toMatchObject([{ reason: 'metadata' }]);
  });

  test('a process of an agent is offline where the pack, the profile or the policy admits no network', async () => {
    const closed = fetching(`${origin}/closed`);
    closed.sandbox.network_access = false;
    const narrowed = fetching(`${origin}/narrowed`, {
      narrowing: { denied_tools: [], allow_network: false },
    });
    const unlisted = fetching(`${origin}/unlisted`, { tool_policy: { allowed_tool_kinds: ['file'] } });
    for (const plan of [closed, narrowed, unlisted]) {
      const { events } = await harness.run(plan);
      expect(events.payloads('system.output.finalized')[0]?.final_output).toBe('offline\n');
      expect(events.payloads('system.run.started')[0]?.sandbox).toMatchObject({ egress: 'none' });
    }
    expect(documentOf.filter((line) => /closed|narrowed|unlisted/.test(line))).toEqual([]);
  });

  const flood = `
import socket, time
for _ in range(60):
    s = socket.create_connection(('127.0.0.1', 3128))
    s.sendall(b'GET http://x.localhost:1/ HTTP/1.1\\r\\nHost: x.localhost:1\\r\\n\\r\\n' * 200)
    s.settimeout(10)
    try:
        while s.recv(65536): pass
    except OSError: pass
    s.close()
print('done')`;

  test('a process of an agent that repeats a refused request 12,000 times leaves the first and a count', async () => {
    const plan = fetching('');
    plan.agent = { ...plan.agent, config: { command: ['python3', '-c', flood] } } as AttemptPlan['agent'];
    // Repetitions are recorded every ten seconds: for this clock, all are at once.
    const clock = { ...systemClock, monotonic: () => 0 };
    const { events } = await harness.run(plan, { clock });
    expect(events.payloads('system.output.finalized')[0]?.final_output).toBe('done\n');
    const request = { method: 'GET', scheme: 'http', host: 'x.localhost', port: 1, reason: 'loopback' };
    expect(events.payloads('network.request.blocked')).toEqual([request, { ...request, count: 59 }]);
  });

  test('a program that requests ever other hosts ends its attempt at the limit of events', async () => {
    const plan = fetching('');
    const others = flood
      .replace('range(60)', 'range(10_000)')
      .replace(/s\.sendall.*/, "s.sendall(f'GET http://h{_}.localhost:1/ HTTP/1.1\\r\\n\\r\\n'.encode())");
    plan.agent = { ...plan.agent, config: { command: ['python3', '-c', others] } } as AttemptPlan['agent'];
    const { result, events } = await harness.run(plan, {}, [], { eventsMax: 120 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'events' });
    expect(result.snapshot).toMatchObject({ bytes: expect.any(Number) });
    expect(events.types().at(-1)).toBe('system.run.failed');
    // The limit, and what closes the attempt.
    expect(events.all.length).toBeLessThan(130);
  });

  test('a process that sends a planted secret is stopped before a byte leaves, and the attempt ends with its workspace kept', async () => {
    const planted_secrets = [{ name: 'trap', value: 'planted-value-1', location: 'env' as const }];
    const { result, events } = await harness.run(
      fetching(`${origin}/out?v=planted-value-1`, { planted_secrets }),
    );
    expect(result).toMatchObject({ outcome: 'policy_violation', snapshot: { bytes: expect.any(Number) } });
    expect(events.payloads('policy.violation')).toMatchObject([{ rule: 'canary_in_egress' }]);
    expect(documentOf.filter((line) => line.includes('planted'))).toEqual([]);
  });

  test('a program whose model cannot be reached was failed by its provider, not by its time or exit code', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.2', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const requesting = (command: string, url: string, model_hosts: string[]) => {
      const script = `import sys, time, urllib.request
try: urllib.request.urlopen(sys.argv[1], timeout=10)
except OSError: ${command}`;
      const plan = fetching(url);
      plan.agent = { kind: 'program', config: { command: ['python3', '-c', script, url], model_hosts } };
      return plan;
    };
    const host = `127.0.0.2:${port}`;
    const unreachable = { outcome: 'provider_error', error: { code: 'unavailable', retryable: true } };
    // Its time is over when its request has failed, however long that took.
    const clock = new SkippingClock();
    onRequest = (url) => url === '/failed' && clock.skip();
    const failed = `urllib.request.urlopen('${origin}/failed'); time.sleep(60)`;
    const waits = await harness.run(requesting(failed, `http://${host}/`, [host]), { clock });
    expect(waits.result).toMatchObject({ ...unreachable, snapshot: null });
    const givesUp = await harness.run(requesting('sys.exit(3)', `http://${host}/`, [host]));
    expect(givesUp.result).toMatchObject(unreachable);
    const another = await harness.run(requesting('sys.exit(3)', `http://${host}/`, ['127.0.0.2:1']));
    expect(another.result).toMatchObject({ outcome: 'agent_error', error: { code: 'exit_nonzero' } });
    const offline = requesting('sys.exit(3)', `http://${host}/`, [host]);
    offline.sandbox.network_access = false;
    expect((await harness.run(offline)).result).toMatchObject({
      outcome: 'provider_error',
      error: { code: 'egress_blocked', retryable: false },
    });
  });
});
