import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import type { Session } from '../../session/session.js';
import { moment } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { facts } from '../../terminal/table.js';
import { dataFolder, upCommand } from './data-folder.js';
import { loopbackText } from './loopback.js';
import { ownSignInLink, signInLine } from './open.js';
import { readinessOf, readinessText } from './readiness.js';

/** Ends with 69 unless the stack runs and all its services are ready. */
export async function showStatus(session: Session, { data }: { data?: string }): Promise<ExitCode> {
  const { out } = session;
  const { findRunningStack, stackLogIn, unsupportedNotice } = await import('@agentclash/local-stack');
  const { folder } = await dataFolder(data);
  const state = await findRunningStack(folder);
  if (state === undefined) {
    out.result({ running: false, data: folder }, () => `Not running (data: ${folder})`);
    out.note(out.paint.dim(`Start it: ${await upCommand(folder)}`));
    return EXIT_CODES.unavailable;
  }
  const services = await Promise.all(
    Object.entries(state.health).map(async ([name, port]) => {
      const readiness = await readinessOf(`http://127.0.0.1:${port}`);
      return { name, port, ready: readiness?.ready ?? false, state: readinessText(readiness) };
    }),
  );
  const { url, pid, postgresPort, natsPort, natsVersion, startedAt, allowsLoopback = true } = state;
  const document = {
    running: true,
    data: folder,
    log: stackLogIn(folder),
    url,
    pid,
    postgres_port: postgresPort,
    nats_port: natsPort,
    nats_version: natsVersion ?? null,
    allows_loopback_endpoints: allowsLoopback,
  };
  const notice = natsVersion === undefined ? undefined : unsupportedNotice(natsVersion);
  if (notice !== undefined) out.warn(notice);
  // Not for programs, which may request the status again and again.
  const signIn = out.modes.json ? undefined : await ownSignInLink(folder, url);
  printTable(out, services, {
    document: { ...document, started_at: startedAt, services },
    columns: [
      { title: 'SERVICE', value: ({ name }) => name, style: out.paint.bold },
      { title: 'HEALTH PORT', value: ({ port }) => String(port), align: 'right' },
      {
        title: 'STATE',
        value: (service) => service.state,
        style: (text, { ready }) => (ready ? out.paint.green : out.paint.red)(text),
      },
    ],
    text: (table) =>
      [
        facts(
          [
            ['web app', url],
            ['data', folder],
            ['log', document.log],
            ['process', String(pid)],
            ['postgres', `127.0.0.1:${postgresPort}`],
            [
              'nats',
              `127.0.0.1:${natsPort}${natsVersion === undefined ? '' : ` (nats-server ${natsVersion})`}`,
            ],
            ['loopback', loopbackText(allowsLoopback)],
            ['started', moment(startedAt)],
          ],
          out.paint.dim,
        ),
        ...(signIn === undefined ? [] : [signInLine(signIn)]),
        '',
        table(),
      ].join('\n'),
  });
  return services.every(({ ready }) => ready) ? EXIT_CODES.ok : EXIT_CODES.unavailable;
}

export async function stopStack(session: Session, { data }: { data?: string }): Promise<undefined> {
  const { findRunningStack, stopLocalStack } = await import('@agentclash/local-stack');
  const { folder } = await dataFolder(data);
  const { out } = session;
  if ((await findRunningStack(folder)) === undefined) {
    out.result({ data: folder, stopped: false }, () => `Not running (data: ${folder})`);
    return;
  }
  out.note('Stopping');
  const { pid } = await stopLocalStack(folder);
  out.result({ data: folder, stopped: true, pid }, () => `Stopped. The data stays in ${folder}`);
  out.note(out.paint.dim(`Start it again: ${await upCommand(folder)}`));
}
