import { expectationText, inputText, isJsonObject } from '@agentclash/challengepack';
import {
  REVIEW_TEXT_MAX,
  type ReviewItem,
  type ReviewOutput,
  type StoredEvidence,
} from '@agentclash/contracts';
import { textIn } from '@agentclash/domain';
import { type AttemptEvidence, finalOutput } from '@agentclash/grading';
import type { Contract } from '@agentclash/run-scoring';

type Case = Pick<ReviewItem, 'task' | 'inputs' | 'expected'>;
type Text = ReviewItem['inputs'][number];

/** Events from which an item is made. */
export const SHOWN_EVENTS: ReadonlySet<string> = new Set(['system.run.started', 'system.output.finalized']);
/** Inputs, or expected values, in one item. */
const TEXTS_MAX = 20;

/** The task as the agent received it, else as the pack has it, and what the case gives and expects. */
export function shownCase(contract: Contract, stored: StoredEvidence, evidence: AttemptEvidence): Case {
  const { title, instructions } = taskOf(contract, stored, evidence);
  const shown = cut(instructions);
  const { payload, inputs = {}, expectations = {} } = evidence.case;
  const hasPayload = isJsonObject(payload) && Object.keys(payload).length > 0;
  return {
    task: { title, instructions: shown.text, is_cut: shown.is_cut },
    inputs: [
      ...(hasPayload ? [textOf('payload', JSON.stringify(payload, null, 2))] : []),
      ...Object.keys(inputs).flatMap((key) => found(key, inputText(evidence.case, key, undefined))),
    ].slice(0, TEXTS_MAX),
    expected: Object.keys(expectations)
      .flatMap((key) => found(key, expectationText(evidence.case, key, undefined)))
      .slice(0, TEXTS_MAX),
  };
}

/** The final output from `offset` on, never ending within a surrogate pair. */
export function shownOutput({ events, attempt }: AttemptEvidence, offset = 0): ReviewOutput {
  const output = finalOutput(events);
  if (output === undefined) return { text: null, length: 0, next_offset: null, outcome: attempt.outcome };
  const text = output.slice(offset, endOf(output, offset + REVIEW_TEXT_MAX));
  const end = offset + text.length;
  return {
    text,
    length: output.length,
    next_offset: end < output.length ? end : null,
    outcome: attempt.outcome,
  };
}

/** The criteria of the judges that judge outputs of this kind. An assertion holds (1) or does not (0). */
export function criteriaOf({ spec }: Contract, kind: string): ReviewItem['criteria'] {
  return spec.llm_judges
    .filter(({ mode }) => kind === 'pairwise' || mode !== 'n_wise')
    .map(({ key, mode, rubric, assertion, prompt, score_scale }) => ({
      key,
      mode,
      text: rubric ?? assertion ?? prompt ?? '',
      ...(mode === 'assertion' ? { min: 0, max: 1 } : { min: score_scale.min, max: score_scale.max }),
    }));
}

function taskOf({ manifest }: Contract, { stored_case }: StoredEvidence, { events }: AttemptEvidence) {
  const started = events.find(({ event_type }) => event_type === 'system.run.started');
  const task = isJsonObject(started?.payload.task) ? started.payload.task : undefined;
  const challenge = manifest.challenges.find(({ key }) => key === stored_case.challenge_key);
  const authored = textIn(challenge?.definition ?? {}, 'instructions') ?? '';
  return {
    title: textIn(task ?? {}, 'title') ?? challenge?.title ?? '',
    instructions: textIn(task ?? {}, 'instructions') ?? authored,
  };
}

function found(key: string, text: string | undefined): Text[] {
  return text === undefined ? [] : [textOf(key, text)];
}

function textOf(key: string, text: string): Text {
  return { key, ...cut(text) };
}

function cut(text: string): { text: string; is_cut: boolean } {
  const end = endOf(text, REVIEW_TEXT_MAX);
  return { text: text.slice(0, end), is_cut: end < text.length };
}

/** `end`, or one less where it would part a surrogate pair. */
function endOf(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
