import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { isLoopbackHost } from '../../session/loopback-host.js';
import type { Session } from '../../session/session.js';
import { facts } from '../../terminal/table.js';
import { dataFolder, upCommand } from './data-folder.js';
import { rememberStack } from './known-stacks.js';
import { checkLoopback, loopbackChoice, loopbackText } from './loopback.js';
import { ownSignInLink, signInLine } from './open.js';

interface Input {
  data?: string;
  port?: number;
  host?: string;
  detach?: boolean;
  allowLoopbackEndpoints?: boolean;
}

interface Started {
  url: string;
  pid: number;
  data: string;
  allowsLoopback: boolean;
}

const INTERRUPTED = 130;

/** Starts the embedded stack and stays with it until it is stopped, unless it is to be left in the background. */
export async function startStack(session: Session, input: Input): Promise<ExitCode | undefined> {
  const { data, port, host, detach } = input;
  const { out } = session;
  const { adoptRunningStack, processesHere, startDetached, startLocalStack } = await import(
    '@agentclash/local-stack'
  );
  const { folder, isLast } = await dataFolder(data);
  if (isLast) out.note(out.paint.dim(`Data: ${folder}, as the last time; --data names another folder`));
  const loopback = { folder, chosen: input.allowLoopbackEndpoints };
  const options = {
    data: folder,
    ...(port === undefined ? { hasStablePort: true } : { port }),
    ...(host !== undefined && { host }),
  };
  const onStep = (step: string) => out.note(out.paint.dim(step));
  // Before it starts: the folder has databases and keys even where the start fails.
  await rememberStack(folder);
  const running = await adoptRunningStack(folder, onStep);
  if (running !== undefined) {
    await checkPort({ url: running.url, folder, port });
    if (host !== undefined)
      throw new CommandError('usage', `Already running: --host takes effect at a start (data: ${folder})`, {
        hint: `To start it there: agentclash down --data ${folder} && ${await upCommand(folder, '--host', host)}`,
      });
    const allowsLoopback = running.allowsLoopback ?? true;
    await checkLoopback(allowsLoopback, loopback);
    out.note('Already running.');
    await show(session, { url: running.url, pid: running.pid, data: folder, allowsLoopback });
    return undefined;
  }
  if (host !== undefined && !isLoopbackHost(host))
    out.warn(`Tokens travel unencrypted to ${host}: put a reverse proxy with TLS in front of it.`);
  const allowLoopbackEndpoints = await loopbackChoice(session, loopback);
  if (detach) {
    const { url, pid } = await startDetached({ ...options, allowLoopbackEndpoints }, onStep);
    await show(session, { url, pid, data: folder, allowsLoopback: allowLoopbackEndpoints });
    return undefined;
  }
  // Handled from the start: Ctrl-C while it boots must not leave servers behind.
  const stopped = stopSignal();
  const booting = startLocalStack({
    ...options,
    allowLoopbackEndpoints,
    processes: processesHere(),
    onStep,
  });
  void stopped.then(() => out.note('Stopping; once more to stop at once'));
  const stack = await booting;
  const { url, allowsLoopback } = stack;
  await show(session, { url, pid: process.pid, data: folder, allowsLoopback });
  out.note(out.paint.dim('Ctrl-C stops it.'));
  const broken = await Promise.race([stopped, stack.broken]);
  if (broken !== undefined) out.warn(broken);
  await stack.close();
  return broken === undefined ? undefined : EXIT_CODES.unavailable;
}

/** A stack does not move to another port while it runs: silence would look as if it had. */
async function checkPort({ url, folder, port }: { url: string; folder: string; port: number | undefined }) {
  if (port === undefined || port === 0 || Number(new URL(url).port) === port) return;
  throw new CommandError('usage', `Already running at ${url}, not on port ${port} (data: ${folder})`, {
    hint: `To move it: agentclash down --data ${folder} && ${await upCommand(folder, '--port', String(port))}`,
  });
}

async function show({ out }: Session, { url, pid, data, allowsLoopback }: Started): Promise<void> {
  const { stackLogIn } = await import('@agentclash/local-stack');
  const log = stackLogIn(data);
  const signIn = await ownSignInLink(data, url);
  out.result(
    {
      url,
      pid,
      data,
      log,
      workspace: 'default',
      sign_in_url: signIn ?? null,
      allows_loopback_endpoints: allowsLoopback,
    },
    () =>
      [
        `${out.paint.green('AgentClash runs')} at ${out.paint.bold(url)}`,
        facts(
          [
            ['data', data],
            ['log', log],
            ['workspace', 'default'],
            ['process', String(pid)],
            ['loopback', loopbackText(allowsLoopback)],
          ],
          out.paint.dim,
        ),
        ...(signIn === undefined ? [] : [signInLine(signIn)]),
      ].join('\n'),
  );
  for (const hint of [
    'The link signs one browser in, once, within 10 minutes. Another one: agentclash open',
    'Commands here find it by themselves. Next: agentclash challenge-pack init task.yaml',
  ]) {
    out.note(out.paint.dim(hint));
  }
}

/** Settles at the first signal; a second one ends the process, whose servers end with it. */
function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    let count = 0;
    const onSignal = () => {
      count += 1;
      if (count > 1) process.exit(INTERRUPTED);
      resolve(undefined);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
