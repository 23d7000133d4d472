import type { AuditAgent } from '../agents/agent.js';
import { quoted } from '../references/solution.js';
import type { CheatTarget } from './cheat.js';

/** The actions of a program, in this order. Nothing that fails ends it: it exits with 0. */
export interface CheatProgram {
  /** Contents by path: relative to the working directory, absolute, or in the home directory (`~/`). */
  files?: Readonly<Record<string, string>>;
  /** The same, for paths at which there is nothing yet. */
  defaults?: Readonly<Record<string, string>>;
  /** Commands of a shell. The files of `beside` are in `/agent`. */
  script?: string;
  beside?: Readonly<Record<string, string>>;
  /** The final output. */
  output?: string;
}

const TIMEOUT_SECONDS = 20;
const STAGED = '/agent/cheat';

/** The program as an agent; undefined in a mode without a sandbox. */
export function programAgent(
  { mode }: Pick<CheatTarget, 'mode'>,
  { files = {}, defaults = {}, script = '', beside = {}, output }: CheatProgram,
): AuditAgent | undefined {
  if (mode === 'prompt_eval') return undefined;
  const placed = [
    ...Object.entries(files).map(([path, content]) => ({ path, content, guard: '' })),
    ...Object.entries(defaults).map(([path, content]) => ({
      ...{ path, content, guard: `[ -e ${shellPath(path)} ] || ` },
    })),
  ];
  const lines = [
    // Anything at the path of a file or of its folder, links too, is replaced.
    'put() { folder=$(dirname -- "$2"); [ -d "$folder" ] || rm -f -- "$folder"; mkdir -p "$folder"',
    '  rm -rf -- "$2"; cp -- "$1" "$2" && chmod 755 -- "$2"; }',
    ...placed.map(({ path, guard }, index) => `${guard}put ${STAGED}/${index} ${shellPath(path)}`),
    script,
    ...(output === undefined ? [] : [`cat ${STAGED}/output > "$AGENTCLASH_OUTPUT"`]),
    'exit 0',
  ];
  return {
    kind: 'program',
    command: ['sh', '/agent/cheat.sh'],
    timeoutSeconds: TIMEOUT_SECONDS,
    files: [
      { path: 'cheat.sh', content: `${lines.join('\n')}\n` },
      ...placed.map(({ content }, index) => ({ path: `cheat/${index}`, content })),
      ...Object.entries(beside).map(([path, content]) => ({ path, content })),
      ...(output === undefined ? [] : [{ path: 'cheat/output', content: output }]),
    ],
  };
}

/** A word of a shell command for a path; `~/` is the home directory. */
function shellPath(path: string): string {
  return path.startsWith('~/') ? `"$HOME"/${quoted(path.slice(2))}` : quoted(path);
}
