import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Ended, repository, type StackFolder } from '../product.js';

/** Shells that are no terminal have no aliases. */
const AGENTCLASH = `agentclash() { '${process.execPath}' '${path.join(repository, 'apps/cli/bin/agentclash.js')}' "$@"; }`;

/** The commands of a guide in order: its blocks of `sh`. */
function guideScript(name: string): string {
  const guide = readFileSync(path.join(repository, 'docs', name), 'utf8');
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');
}

/** Runs the commands of a guide in one shell that stops at the first that fails, in a folder of its own. */
export async function runGuide(
  name: string,
  folder: StackFolder,
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  // A stack of its own, not that of the user who runs the tests.
  const script = guideScript(name).replaceAll('up --detach', `up --detach --data '${folder.data}'`);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${AGENTCLASH}\n${script}`], {
    cwd: folder.path,
    env: folder.environment({ REPOSITORY: repository, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | string>((resolve) =>
      child.once('close', (exit, signal) => resolve(exit ?? signal ?? 'unknown')),
    ),
  ]);
  return { code, stdout, stderr };
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  for await (const chunk of stream.setEncoding('utf8')) all += chunk;
  return all;
}
