import { type Client, type ResponseOutput, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { isId } from './not-found.js';

/** An attempt by its id. */
export async function getAttempt(
  client: Client,
  id: string,
): Promise<ResponseOutput<typeof routes.attempts.get>> {
  if (isId(id)) return await client.call(routes.attempts.get, { params: { attempt_id: id } });
  throw new CommandError('not_found', `There is no attempt "${id}"`, {
    hint: 'agentclash run attempts shows the ids.',
  });
}
