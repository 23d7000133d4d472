import type { Steps } from '@agentclash/challengepack';
import { captureOrListingOf } from './file-target.js';
import { type Finding, type Judgement, passIf } from './judgement.js';
import { notCollected } from './text-target.js';
import type { ValidatorInput } from './validator.js';

// biome-ignore lint/correctness/useYield: validators pause only where it takes long.
export function* fileExists(input: ValidatorInput<'file_exists'>): Steps<Finding> {
  const found = captureOrListingOf(input);
  if (found === undefined) return notCollected(input.evidence);
  return { ...judgeExistence(found.evidence.exists, input.config.must_exist), pointer: found.pointer };
}

export function judgeExistence(exists: boolean, mustExist: boolean): Judgement {
  return passIf(exists === mustExist, mustExist ? 'file_missing' : 'file_present');
}
