import { ContractError } from '@agentclash/contracts';
import { S3ServiceException } from '@aws-sdk/client-s3';

/** True when a key is missing; a missing bucket is the operator's mistake, never a missing blob. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException) || error.name === 'NoSuchBucket') return false;
  return error.$metadata.httpStatusCode === 404;
}

/** The error for a failed operation. The server's error is the cause, for the log. */
export function unavailable(error: unknown): ContractError {
  if (error instanceof ContractError) return error;
  return new ContractError(
    'unavailable',
    'The blob store does not respond as expected.',
    {},
    { cause: error },
  );
}
