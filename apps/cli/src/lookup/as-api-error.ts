import { ApiError } from '@agentclash/api';

/** A refusal by rules that ran in this process, as a server responds with it; any other error as it is. */
export function asApiError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ContractError') return error;
  const { code, message, details } = error as Error & { code: never; details?: object };
  return new ApiError({ code, detail: message, ...details }, null, { cause: error });
}
