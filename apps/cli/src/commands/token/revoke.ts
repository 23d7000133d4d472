import { routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { matchIdPart } from '../../lookup/id-part.js';
import { isId, notFound } from '../../lookup/not-found.js';
import { listTokens } from '../../lookup/tokens.js';
import type { Session } from '../../session.js';

export async function run(session: Session, { token: reference }: { token: string }): Promise<undefined> {
  const client = await session.tokensClient();
  const id = isId(reference) ? reference : await idOf(reference);
  await client.call(routes.tokens.revoke, { params: { token_id: id } });
  session.out.result({ id, revoked: true }, () => `${reference} is revoked`);

  async function idOf(name: string): Promise<string> {
    const tokens = await listTokens(client);
    const [found, ...others] = tokens.filter((token) => token.name === name);
    if (found === undefined) {
      const byPart = matchIdPart(tokens, name, 'token');
      if (byPart !== undefined) return byPart.id;
      throw await notFound(
        'token',
        name,
        tokens.map((token) => token.name),
      );
    }
    if (others.length === 0) return found.id;
    throw new CommandError('usage', `Several tokens are called ${name}: give the id`, {
      choices: [found, ...others].map((token) => `${token.id}  ${token.created_at}`),
    });
  }
}
