import type { Attack } from './attack.js';
import { startHostileRun } from './hostile-run.js';

const CASES = { short: 1, whole: 4 } as const;
const SECONDS = { short: 5, whole: 15 } as const;

/** As fast as it goes, in 16 threads; 200 requests are sent on each connection, whatever comes back. */
const FLOOD = `
import os, socket, sys, threading, time
host, port = os.environ['http_proxy'].split('//')[1].rstrip('/').split(':')
request = b'GET http://x.invalid.localhost:1/ HTTP/1.1\\r\\nHost: x.invalid.localhost:1\\r\\n\\r\\n' * 200
until = time.time() + float(sys.argv[1])
def flood():
    while time.time() < until:
        try:
            with socket.create_connection((host, int(port)), 5) as link:
                link.sendall(request)
                while link.recv(65536): pass
        except OSError: pass
threads = [threading.Thread(target=flood) for _ in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
`;

/** A process that repeats a request that is refused. */
export const refusedRequests: Attack = {
  summary: 'a process that repeats a refused request as fast as it can',
  expected: [/^run (completed|cancelled)$/, /^attempt (cancelled|limit_reached)\b/, /^call timeout$/],
  required: /^attempt completed\b/,
  start: (site) =>
    startHostileRun(site, {
      slug: 'refused-requests',
      cases: CASES[site.scale],
      version: {
        tool_policy: { allowed_tool_kinds: ['network', 'file', 'shell'], allow_shell: true },
        sandbox: { network_access: true },
      },
      agents: [
        {
          name: 'flooder',
          config: {
            steps: [
              {
                call: {
                  name: 'exec',
                  arguments: { command: ['python3', '-c', FLOOD, String(SECONDS[site.scale])] },
                },
              },
              { answer: 'done' },
            ],
          },
        },
      ],
    }),
};
