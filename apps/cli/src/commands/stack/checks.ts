import path from 'node:path';
import type { ExitName } from '@agentclash/domain';
import { environment } from '../../config.js';
import type { Session } from '../../session/session.js';
import { dataFolder, upCommand } from './data-folder.js';
import { readinessOf } from './readiness.js';

export interface Check {
  what: string;
  /** `absent`: a choice that this machine does not have. */
  state: 'ok' | 'weak' | 'absent' | 'problem';
  detail: string;
  fix?: string | undefined;
  /** The exit code of the command when this is its first problem. */
  exit?: ExitName;
}

/** An older one than `engines` of package.json never gets here: bin/agentclash.js refuses it. */
export async function checkNode(): Promise<Check[]> {
  return [{ what: 'node', state: 'ok', detail: process.version }];
}

export async function checkSettings(session: Session): Promise<Check[]> {
  const { apiUrl, workspace } = await session.settings();
  const what = 'settings';
  if (apiUrl === undefined) {
    return [
      problem(
        what,
        'no server is configured',
        'agentclash up starts one here; AGENTCLASH_API_URL names another.',
      ),
    ];
  }
  const where = workspace === undefined ? 'default' : `${workspace.value} (${workspace.origin})`;
  return [{ what, state: 'ok', detail: `${apiUrl.value} (${apiUrl.origin}), workspace ${where}` }];
}

export async function checkServer(session: Session): Promise<Check[]> {
  const { apiUrl } = await session.settings();
  if (apiUrl === undefined) return [];
  const readiness = await readinessOf(apiUrl.value);
  if (readiness === undefined) {
    return [problem('server', `${apiUrl.value} cannot be reached`, await howToStart(apiUrl.origin))];
  }
  const parts = Object.entries(readiness.parts).map(([part, state]): Check => {
    if (state === 'ok') return { what: part, state: 'ok', detail: 'OK' };
    return problem(part, state, 'See the log of the service.');
  });
  const isKnown = parts.length > 0 || readiness.ready;
  return [
    isKnown
      ? { what: 'server', state: 'ok', detail: 'OK' }
      : problem('server', 'it is not ready', 'See its log.'),
    ...parts,
  ];
}

/** Where the address is that of the embedded stack, it only has to be started again. */
async function howToStart(origin: string): Promise<string> {
  if (path.basename(origin) !== 'stack.yaml') return 'agentclash status, or contact its operator.';
  return await upCommand((await dataFolder(undefined)).folder);
}

export async function checkToken(session: Session): Promise<Check[]> {
  const what = 'token';
  const { apiUrl, token } = await session.settings();
  if (apiUrl === undefined) return [];
  if (token === undefined) {
    return [{ ...problem(what, 'there is none', 'Set AGENTCLASH_TOKEN.'), exit: 'unauthorized' }];
  }
  const [client, { ApiError, routes }] = await Promise.all([session.client(), import('@agentclash/api')]);
  try {
    const { role, workspace, token: known } = await client.call(routes.workspaces.whoami);
    const detail = `${known.name}: ${role} of ${workspace?.slug ?? 'the installation'} (${token.origin})`;
    return [{ what, state: 'ok', detail }];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 401 && error.status !== 403) return [problem(what, error.detail)];
    const fix = `It comes from ${token.origin}.`;
    return [{ ...problem(what, 'the server does not accept it', fix), exit: 'unauthorized' }];
  }
}

/** Really opens a sandbox of the provider that an executor started here would use. */
export async function checkSandbox(): Promise<Check[]> {
  const { probeSandbox } = await import('@agentclash/sandbox');
  const {
    level,
    provider,
    problems,
    bwrapVersion,
    gvisor,
    images,
    imageRights = [],
    isolations,
    createMs,
    execMs,
  } = await probeSandbox(environment.operator);
  const what = 'sandbox';
  const shortfalls = problems.map(
    ({ problem: detail, fix }): Check =>
      level === 'none' ? problem(what, detail, fix) : { what, state: 'weak', detail, fix },
  );
  const choices = (isolations ?? []).map(isolationCheck);
  if (level === 'none') return [...shortfalls, ...choices];
  const version = gvisor === undefined ? bwrapVersion : `${gvisor.version} (${gvisor.platform})`;
  const speed = `opens in ${Math.round(createMs ?? 0)} ms, runs in ${Math.round(execMs ?? 0)} ms`;
  return [
    {
      what,
      state: 'ok',
      detail: `${[provider, version].filter(Boolean).join(' ')}, ${level} isolation, ${speed}`,
    },
    ...(images === undefined ? [] : [{ what: 'images', state: 'ok' as const, detail: imagesDetail(images) }]),
    ...imageRights.map(
      ({ isOn, detail, fix }): Check => ({ what: 'images', state: isOn ? 'ok' : 'absent', detail, fix }),
    ),
    ...shortfalls,
    ...choices,
  ];
}

type SandboxProbe = Awaited<ReturnType<typeof import('@agentclash/sandbox').probeSandbox>>;
type IsolationReport = NonNullable<SandboxProbe['isolations']>[number];

/** The promise of an isolation, and how it is chosen or installed. */
function isolationCheck({ name, isAvailable, isChosen, promise, detail, fix }: IsolationReport): Check {
  const chosen = isChosen ? ', chosen' : '';
  return {
    what: 'isolation',
    state: isAvailable ? 'ok' : 'absent',
    detail: `${name}${chosen}: ${promise} (${detail})`,
    ...(isChosen && isAvailable ? {} : { fix }),
  };
}

function imagesDetail({ root, builds }: { root: boolean; builds: boolean }): string {
  return `packs may bring an image${root ? ', also as root' : ''}${builds ? ', or a Dockerfile' : ''}`;
}

export function problem(what: string, detail: string, fix?: string): Check {
  return { what, state: 'problem', detail, fix, exit: 'unavailable' };
}
