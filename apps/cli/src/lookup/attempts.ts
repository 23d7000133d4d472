import { type Client, type ResponseOutput, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { findAttemptId } from './id-part.js';

/** An attempt by its id or a part of it. */
export async function getAttempt(
  client: Client,
  id: string,
): Promise<ResponseOutput<typeof routes.attempts.get>> {
  const attempt_id = await findAttemptId(client, id);
  if (attempt_id !== undefined) return await client.call(routes.attempts.get, { params: { attempt_id } });
  throw new CommandError('not_found', `There is no attempt "${id}"`, {
    hint: 'agentclash run attempts shows the ids.',
  });
}
