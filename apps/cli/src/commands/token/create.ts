import { routes, type Token } from '@agentclash/api';
import type { Session } from '../../session.js';
import { expiryOf } from './expiry.js';

interface Input {
  name: string;
  role: Token['role'];
  expires?: string;
}

/** The token alone goes to stdout, so that it can be piped to where it belongs. */
export async function run(session: Session, { name, role, expires }: Input): Promise<undefined> {
  const { out } = session;
  const expires_at = expires === undefined ? undefined : expiryOf(expires, Date.now());
  const made = await (await session.tokensClient()).call(routes.tokens.create, {
    body: { name, role, expires_at },
  });
  out.result(made, () => made.token);
  out.note(`${name} (${role}) is made. Its value is shown this once.`);
}
