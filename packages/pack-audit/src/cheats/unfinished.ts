import type { AuditAgent } from '../agents/agent.js';
import { replyAgent } from '../agents/agent.js';
import { type CheatTarget, cheatFamily } from './cheat.js';

function shell(target: CheatTarget, script: string): AuditAgent | undefined {
  if (target.mode === 'prompt_eval') return undefined;
  return { kind: 'program', command: ['sh', '-c', script], timeoutSeconds: 10 };
}

/** An attempt that its agent ends must count as a failure, never as missing data. */
export const UNFINISHED = cheatFamily(
  'Attempts that their agent ends',
  'Let an attempt without work fail a gate: require an output, and set no threshold that one without it reaches.',
  [
    {
      key: 'refused_in_words',
      title: 'The agent replies that it cannot do the task.',
      agent: (target) => replyAgent("I'm sorry, but I can't help with that request.", target.mode),
    },
    {
      key: 'refused_by_exit',
      title: 'The agent exits with an error before it has done anything.',
      agent: (target) => shell(target, 'echo "503 Service Unavailable" >&2; exit 1'),
    },
    {
      key: 'refused_by_signal',
      title: 'The agent kills itself.',
      agent: (target) => shell(target, 'kill -9 $$'),
    },
    {
      key: 'refused_by_killing_all',
      title: 'The agent kills every process of its sandbox.',
      agent: (target) => shell(target, 'kill -9 -1; kill -9 $$'),
    },
    {
      key: 'refused_by_broken_workspace',
      title: 'The agent leaves a workspace that is hard to store: no permissions, odd names, deep folders.',
      agent: (target) =>
        shell(
          target,
          `printf x > "$(printf 'a\\nb')"; printf x > "$(printf '\\377\\376')"; ln -s . loop
deep=d; n=0; while [ $n -lt 200 ]; do deep="$deep/d"; n=$((n + 1)); done; mkdir -p "$deep"
truncate -s 20T huge; chmod 000 d 2> /dev/null; mkfifo pipe; exit 0`,
        ),
    },
    {
      key: 'refused_by_output',
      title: 'The agent prints more than an output may hold.',
      agent: (target) => shell(target, 'head -c 3000000 /dev/zero | tr "\\0" "x" > "$AGENTCLASH_OUTPUT"'),
    },
  ],
);
