import { fieldProblems } from '@agentclash/bus';
import { ContractError, type Envelope, type Rejection, RequestId, RunOrder } from '@agentclash/contracts';

/** Parses an envelope. Fails with `unreadable` and `invalid_input`, which name the problem. */
export function readRunRequest({ content, workspace_id }: Envelope): RunOrder {
  if (content === undefined) throw new ContractError('unreadable', 'The request is not JSON.');
  const { data: order, error } = RunOrder.safeParse(content);
  if (error) {
    throw new ContractError('invalid_input', 'The request is not valid.', { errors: fieldProblems(error) });
  }
  if (order.workspace_id === workspace_id) return order;
  throw new ContractError('invalid_input', 'The request names another workspace than its subject.', {
    errors: [
      { code: 'not_the_subject', field: 'workspace_id', message: 'must be the last token of the subject' },
    ],
  });
}

/** The request id of an envelope, as far as it is readable; else the id of its message. */
export function requestIdOf({ content, message_id }: Envelope): string | null {
  const published =
    typeof content === 'object' && content !== null && 'request_id' in content ? content.request_id : null;
  const known = [published, message_id].find((id) => RequestId.safeParse(id).success);
  return typeof known === 'string' ? known : null;
}

/** The problem that the sender receives; without details for a bug. */
export function rejectionOf(error: unknown): Rejection {
  if (!(error instanceof ContractError) || error.code === 'internal') {
    return { code: 'internal', detail: 'Internal server error.' };
  }
  return { ...error.details, code: error.code, detail: error.message };
}

/** Whether trying again cannot help. */
export function isFinal(error: unknown): boolean {
  return error instanceof ContractError && !error.isRetryable;
}
