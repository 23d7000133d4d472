import { parseReference, type ValidatorType } from '@agentclash/challengepack';
import { type EvidencePointer, pointTo } from '../evidence/pointer.js';
import {
  type DirectoryListing,
  type FileCapture,
  findCapture,
  findListing,
} from '../evidence/verification.js';
import type { ValidatorInput } from './validator.js';

/** The key of the check that a `file:` target names. */
export function checkKeyOf(target: string): string {
  const reference = parseReference(target);
  return reference?.kind === 'file' ? reference.check : '';
}

export interface Found<E> {
  readonly evidence: E;
  readonly pointer: EvidencePointer | null;
}

/** The listing that the target names, if it was collected. */
export function listingOf(input: ValidatorInput<ValidatorType>): Found<DirectoryListing> | undefined {
  const artifact = checkKeyOf(input.target);
  const evidence = findListing(input.evidence.events, artifact);
  return evidence && { evidence, pointer: pointTo([evidence], { artifact }) };
}

/** The capture or listing that the target names, if it was collected. */
export function captureOrListingOf(
  input: ValidatorInput<ValidatorType>,
): Found<FileCapture | DirectoryListing> | undefined {
  const artifact = checkKeyOf(input.target);
  const evidence = findCapture(input.evidence.events, artifact);
  return evidence ? { evidence, pointer: pointTo([evidence], { artifact }) } : listingOf(input);
}
