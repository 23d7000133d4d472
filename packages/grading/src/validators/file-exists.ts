import { captureOrListingOf } from './file-target.js';
import { type Finding, type Judgement, passIf } from './judgement.js';
import { notCollected } from './text-target.js';
import type { ValidatorInput } from './validator.js';

export function fileExists(input: ValidatorInput<'file_exists'>): Finding {
  const found = captureOrListingOf(input);
  if (found === undefined) return notCollected(input.evidence);
  return { ...judgeExistence(found.evidence.exists, input.config.must_exist), pointer: found.pointer };
}

export function judgeExistence(exists: boolean, mustExist: boolean): Judgement {
  return passIf(exists === mustExist, mustExist ? 'file_missing' : 'file_present');
}
