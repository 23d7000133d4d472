import { readFile } from 'node:fs/promises';
import { formatBytes } from '@agentclash/domain';
import { environment } from '../../config.js';
import { plural } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { shellWord } from '../../terminal/shell-word.js';
import { findItems } from './inspect.js';
import { stackItems } from './made-here.js';

/**
 * The things of this product that are left to their owner, each with the command that removes it: stacks that were not named, objects on
 * a Docker daemon, and the system user, which others may use.
 */
export async function staysBehind(otherStacks: readonly string[]): Promise<string[]> {
  const stacks = await findItems(stackItems(otherStacks));
  return [
    ...stacks.map(
      ({ path, bytes }) =>
        `the stack on ${oneLine(path)}, ${formatBytes(bytes)}: agentclash uninstall --data ${oneLine(shellWord(path))}`,
    ),
    ...(await onDocker()),
    ...(await systemUser()),
  ];
}

async function onDocker(): Promise<string[]> {
  const { DAEMON_LABEL, daemonObjects } = await import('@agentclash/sandbox');
  try {
    const { url, containers, volumes, images } = await daemonObjects(environment.operator);
    const line = (names: readonly string[], { what, command }: { what: string; command: string }) =>
      names.length === 0
        ? []
        : [
            `${plural(names.length, what)} of sandboxes on ${url}: ${command} ${names.map((name) => oneLine(shellWord(name))).join(' ')}`,
          ];
    return [
      ...line(containers, { what: 'container', command: 'docker rm --force --volumes' }),
      ...line(volumes, { what: 'volume', command: 'docker volume rm' }),
      ...line(images, { what: 'image tag', command: 'docker image rm' }),
    ];
  } catch (error) {
    if (hasNoDaemon(error)) return [];
    const reason = oneLine(error instanceof Error ? error.message : String(error));
    const filter = `--filter label=${DAEMON_LABEL}`;
    const commands = [
      `docker ps --all ${filter}`,
      `docker volume ls ${filter}`,
      "docker image ls 'agentclash/*'",
    ];
    return [`objects of sandboxes on Docker, which cannot be listed (${reason}): ${commands.join('; ')}`];
  }
}

/** True where no setting names a daemon, and its usual socket is not there. */
function hasNoDaemon(error: unknown): boolean {
  const { DOCKER_HOST = '', SANDBOX_PROVIDER = '' } = environment.operator;
  if (DOCKER_HOST !== '' || SANDBOX_PROVIDER === 'docker') return false;
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}

async function systemUser(): Promise<string[]> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return process.getuid?.() === 0 && /^agentclash:/m.test(accounts)
    ? ['the system user agentclash, under which PostgreSQL ran: userdel agentclash']
    : [];
}
