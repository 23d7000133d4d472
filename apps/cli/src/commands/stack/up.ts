import path from 'node:path';
import { environment } from '../../config.js';
import { EXIT, type ExitCode } from '../../exit.js';
import type { Session } from '../../session.js';
import { facts } from '../../terminal/table.js';

interface Input {
  data?: string;
  port?: number;
  detach?: boolean;
}

interface Started {
  url: string;
  pid: number;
  data: string;
}

const INTERRUPTED = 130;

/** Starts the embedded stack and stays with it until it is stopped, unless it is to be left in the background. */
export async function run(session: Session, { data, port, detach }: Input): Promise<ExitCode | undefined> {
  const { out } = session;
  const { adoptRunningStack, defaultDataFolder, processesHere, startDetached, startLocalStack } =
    await import('@agentclash/local-stack');
  const folder = data === undefined ? defaultDataFolder : path.resolve(data);
  const options = { data: folder, ...(port !== undefined && { port }) };
  const running = await adoptRunningStack(folder);
  if (running !== undefined) {
    out.note('It runs already.');
    show(session, { url: running.url, pid: running.pid, data: folder });
    return undefined;
  }
  const onStep = (step: string) => out.note(out.paint.dim(step));
  if (detach) {
    const { url, pid } = await startDetached(options, onStep);
    show(session, { url, pid, data: folder });
    return undefined;
  }
  // Heard from the start: Ctrl-C while it boots must not leave servers behind.
  const stopped = stopSignal();
  const booting = startLocalStack({ ...options, processes: processesHere(), onStep });
  void stopped.then(() => out.note('Stopping; once more to stop at once'));
  const stack = await booting;
  show(session, { url: stack.url, pid: process.pid, data: folder });
  out.note(out.paint.dim('Ctrl-C stops it.'));
  const broken = await Promise.race([stopped, stack.broken]);
  if (broken !== undefined) out.warn(broken);
  await stack.close();
  return broken === undefined ? undefined : EXIT.unavailable;
}

function show({ out }: Session, { url, pid, data }: Started): void {
  out.result({ url, pid, data, workspace: 'default' }, () =>
    [
      `${out.paint.green('AgentClash runs')} at ${out.paint.bold(url)}`,
      facts(
        [
          ['web app', url],
          ['data', data],
          ['workspace', 'default'],
          ['process', String(pid)],
        ],
        out.paint.dim,
      ),
    ].join('\n'),
  );
  for (const hint of [
    `The web app is signed in to with the token in ${path.join(environment.configFolder, 'stack.yaml')}`,
    'Commands here find it by themselves. Next: agentclash challenge-pack init task.yaml',
  ]) {
    out.note(out.paint.dim(hint));
  }
}

/** Settles at the first signal; a second one ends the process, whose servers end with it. */
function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    let count = 0;
    const hear = () => {
      count += 1;
      if (count > 1) process.exit(INTERRUPTED);
      resolve(undefined);
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}
