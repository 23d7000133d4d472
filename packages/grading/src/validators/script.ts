import { isRecord, repeatedKey } from '@agentclash/domain';
import { pointTo } from '../evidence/pointer.js';
import { findScript, type ScriptExecution } from '../evidence/verification.js';
import { type Finding, type Judgement, packError } from './judgement.js';
import { notCollected } from './text-target.js';
import type { ValidatorInput } from './validator.js';

/** As many bytes as the verifier keeps of the output. */
const REPLY_BYTES_MAX = 64 * 1024;
const REASON_LENGTH_MAX = 2_000;
/** Of a shell and of a sandbox: the program cannot be executed, or is not there. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

interface Reply {
  readonly score: number;
  readonly passed: boolean;
  readonly words: string;
}

/** The reply of a script. A script without one is the pack's error, whatever the agent did. */
export function script(input: ValidatorInput<'script'>): Finding {
  const execution = findScript(input.evidence.events, input.key);
  if (execution === undefined) return notCollected(input.evidence);
  return { ...judge(execution), pointer: pointTo([execution]) };
}

function judge(execution: ScriptExecution): Judgement & { detail?: string } {
  const reply = replyOf(execution);
  if (typeof reply === 'string') return packError(reply);
  const { score, passed, words } = reply;
  const reason = passed ? null : 'not_passed';
  return { kind: 'scored', passed, score, reason, ...(words !== '' && { detail: words }) };
}

/** The reply, or the code of its error. */
function replyOf(execution: ScriptExecution): Reply | string {
  const { stdout, stdout_bytes, exit_code, timed_out, oom, evidence_too_large } = execution;
  if (evidence_too_large) return 'evidence_too_large';
  // The verifier ends a script that prints more.
  if (stdout_bytes > REPLY_BYTES_MAX) return 'reply_too_large';
  if (timed_out) return 'script_timeout';
  if (oom) return 'script_out_of_memory';
  if (NOT_STARTED.has(exit_code)) return 'interpreter_missing';
  if (exit_code !== 0) return 'script_failed';
  return readReply(stdout);
}

/** One JSON object with a score from 0 to 1 and a verdict, or the code of its error. */
function readReply(text: string): Reply | string {
  if (text.trim() === '') return 'reply_missing';
  const reply = parsed(text);
  if (reply === undefined) return 'reply_unparsable';
  if (!isRecord(reply)) return 'reply_not_an_object';
  if (repeatedKey(text) !== undefined) return 'reply_member_repeated';
  const { score, passed, reason = null } = reply;
  if (typeof score !== 'number') return 'score_not_a_number';
  if (!(score >= 0 && score <= 1)) return 'score_out_of_range';
  if (typeof passed !== 'boolean') return 'passed_not_boolean';
  if (reason !== null && typeof reason !== 'string') return 'reason_not_text';
  return { score: score === 0 ? 0 : score, passed, words: plain(reason ?? '') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without control characters but line breaks, cut between characters. */
function plain(text: string): string {
  const characters = [...text.replace(/[^\P{Cc}\n\t]/gu, '')];
  return characters.slice(0, REASON_LENGTH_MAX).join('');
}
