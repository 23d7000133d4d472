import { ContractError } from '@agentclash/contracts';
import { S3ServiceException } from '@aws-sdk/client-s3';

/** A key that is not there; a missing bucket is the operator's mistake, never a missing blob. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException) || error.name === 'NoSuchBucket') return false;
  return error.$metadata.httpStatusCode === 404;
}

/** Why the bytes cannot be had now. What the server said stays in the cause, for our log. */
export function away(error: unknown): ContractError {
  if (error instanceof ContractError) return error;
  return new ContractError(
    'unavailable',
    'The blob store does not answer as it should.',
    {},
    { cause: error },
  );
}
