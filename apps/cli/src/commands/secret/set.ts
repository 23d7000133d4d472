import { routes, SecretValue } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session.js';
import { readHidden } from './read-hidden.js';

interface Input {
  key: string;
  value?: string;
  host?: string[];
  any?: boolean;
}

/** The value never stands among the arguments by itself, is never shown, and is no part of any message. */
export async function run(session: Session, { key, value, host, any = false }: Input): Promise<undefined> {
  if (any === (host !== undefined)) throw bindingNeeded(key, any);
  const given = value ?? (await readHidden(session, { what: key, hint: 'Pipe it in, or give --value.' }));
  const body = { value: given, ...(host === undefined ? { any: true as const } : { hosts: host }) };
  const checked = SecretValue.safeParse(body);
  if (!checked.success) {
    const choices = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new CommandError('usage', `${key} was not set`, { choices });
  }
  const client = await session.client();
  await client.call(routes.secrets.set, { params: { key }, body });
  session.out.result({ key, hosts: host ?? [], binding: any ? 'any' : 'origin' }, () => {
    const bound = host === undefined ? 'wherever a pack or a deployment sends it' : `${host.join(', ')} only`;
    return `${key} is set, for ${bound}`;
  });
}

function bindingNeeded(key: string, isBoth: boolean): CommandError {
  const summary = isBoth ? '--host and --any contradict each other' : `Where may ${key} go?`;
  return new CommandError('usage', summary, {
    hint: 'Give --host api.example.com (https, port 443) or --host http://127.0.0.1:8080, or --any: wherever a pack or a deployment sends it.',
  });
}
