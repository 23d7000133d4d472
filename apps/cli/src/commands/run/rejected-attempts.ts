import { ApiError, type Client, type Run, routes, runArgument, runHandle } from '@agentclash/api';
import { CommandError } from '../../command-error.js';

/** An attempt of a request, as JSON, with its location in the file. */
export interface SentAttempt {
  text: string;
  location: string;
}

/** Codes of errors that the same attempts bring each time. */
const REJECTIONS = ['invalid_input', 'unreadable', 'too_large'];

/** Attempts that the server does not take, by their locations in the file. */
class RejectedAttempts extends CommandError {}

/** The error for attempts that the server does not take, with their locations; undefined for any other failure. */
export function rejectionOf(error: unknown, batch: readonly SentAttempt[]): CommandError | undefined {
  if (!(error instanceof ApiError) || !REJECTIONS.includes(error.code)) return undefined;
  const choices = error.errors.map(({ field, message }) => {
    const [, index, rest = ''] = /^attempts(?:\.|\[)(\d+)\]?\.?(.*)$/.exec(field) ?? [];
    const location = index === undefined ? undefined : batch[Number(index)]?.location;
    const where = location === undefined ? [field] : [location, rest];
    return [...where.filter((part) => part !== ''), message].join(': ');
  });
  return new RejectedAttempts('usage', error.detail, { choices, cause: error });
}

/**
 * Ends an import whose attempts the server does not take: its file has to change, which makes it another import. After
 * any other failure the same command continues it.
 */
export async function endedBy(
  error: unknown,
  { client, run, warn }: { client: Client; run: Run; warn: (text: string) => void },
): Promise<unknown> {
  const params = { run_id: run.id };
  const isEnded =
    error instanceof RejectedAttempts &&
    (await client.call(routes.runs.cancel, { params }).then(
      () => true,
      () => false,
    ));
  warn(
    isEnded
      ? `The import ${runHandle(run)} is cancelled: the server refused attempts of the file`
      : `The import ${runHandle(run)} is not complete: the same command continues it, and agentclash run cancel ${runArgument(run)} ends it`,
  );
  return error;
}
