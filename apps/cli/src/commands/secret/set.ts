import { routes, SecretValue } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session.js';
import { readHidden } from './read-hidden.js';

interface Input {
  key: string;
  value?: string;
  host?: string[];
}

/** The value never stands among the arguments by itself, is never shown, and is no part of any message. */
export async function run(session: Session, { key, value, host }: Input): Promise<undefined> {
  const given = value ?? (await readHidden(session, { what: key, hint: 'Pipe it in, or give --value.' }));
  const body = { value: given, ...(host !== undefined && { hosts: host }) };
  const checked = SecretValue.safeParse(body);
  if (!checked.success) {
    const choices = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new CommandError('usage', `${key} was not set`, { choices });
  }
  const client = await session.client();
  await client.call(routes.secrets.set, { params: { key }, body });
  session.out.result({ key, hosts: host ?? [] }, () => {
    const bound = host === undefined ? '' : `, for ${host.join(', ')} only`;
    return `${key} is set${bound}`;
  });
}
