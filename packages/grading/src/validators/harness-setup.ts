import { isHarnessAlone } from '@agentclash/challengepack';
import type { CodeExecution } from '../evidence/verification.js';
import { type Judgement, packError } from './judgement.js';

/** The reason of a harness that can grade no attempt. */
export const HARNESS_SETUP_FAILED = 'harness_setup_failed';

/** The judge of the harness ends so for errors of the tests and the image alone, and before code under test runs. */
const EXIT_CODE = 121;
const REASON = /^agentclash-grade: (?:error: )?(.+)$/gm;
const REASON_LENGTH_MAX = 500;

/** The pack's error where a harness could not begin, with its reason; undefined where it did, or code of the agent may have run. */
export function harnessSetupError({
  command,
  exit_code,
  timed_out,
  reports = [],
  stderr_tail,
}: CodeExecution): (Judgement & { detail: string }) | undefined {
  const hasNoReport = reports.length > 0 && reports.every(({ state }) => state === 'missing');
  if (exit_code !== EXIT_CODE || timed_out || !hasNoReport || !isHarnessAlone(command)) return undefined;
  const [, reason = 'it gave no reason'] = [...stderr_tail.matchAll(REASON)].at(-1) ?? [];
  const detail = reason.replace(/\p{Cc}/gu, ' ').slice(0, REASON_LENGTH_MAX);
  return { ...packError(HARNESS_SETUP_FAILED), detail };
}
