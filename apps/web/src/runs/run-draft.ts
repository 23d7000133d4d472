import type { RunRequest } from '@agentclash/api';
import type { ModelCallMode } from '@agentclash/domain';
import type { z } from 'zod';
import { EMPTY_STOP, lacksBaseline, readStop, type StopDraft } from './stop-draft.js';

/** The state of the run form. Members that are null have not been changed: the defaults apply. */
export interface RunDraft {
  versionId: string;
  /** Empty: the only one. */
  inputSetId: string;
  /** Null before a choice: those of the replayed run, else the default lineup of the pack. */
  deploymentIds: readonly string[] | null;
  /** Of the chosen deployments; null: all. */
  variants: readonly string[] | null;
  /** One key per line; empty: all cases of the input set. */
  cases: string | null;
  /** The run whose failed cases are run; empty: none. */
  onlyFailedOf: string;
  name: string;
  repetitions: string | null;
  /** Empty: limited by the workers only. */
  maxConcurrency: string;
  modelCalls: ModelCallMode;
  /** The recorded run of a replay; empty before a choice. */
  replayFrom: string;
  /** One `key=value` per line. */
  labels: string;
  hasRaceContext: boolean;
  stop: StopDraft;
  /** Of the order of cases; empty: none. */
  seed: string;
}

export const EMPTY_DRAFT: RunDraft = {
  versionId: '',
  inputSetId: '',
  deploymentIds: null,
  variants: null,
  cases: null,
  onlyFailedOf: '',
  name: '',
  repetitions: null,
  maxConcurrency: '',
  modelCalls: 'live',
  replayFrom: '',
  labels: '',
  hasRaceContext: false,
  stop: EMPTY_STOP,
  seed: '',
};

/** Changes members of a draft. */
export type Change = (part: Partial<RunDraft>) => void;

/** Problems of a draft by the field of the request, a sentence each. */
export type DraftProblems = Partial<
  Record<'labels' | 'replay_from' | 'stop_when.decided.baseline', readonly string[]>
>;

export type DraftReading = { request: z.input<typeof RunRequest> } | { problems: DraftProblems };

/** The request of a draft, without empty members. */
export function readDraft(draft: RunDraft): DraftReading {
  const { versionId, inputSetId, deploymentIds, name, repetitions, maxConcurrency, modelCalls } = draft;
  const reading = readLabels(draft.labels);
  const replayFrom = modelCalls === 'replay' ? draft.replayFrom : '';
  const problems: DraftProblems = {
    ...('problems' in reading && { labels: reading.problems }),
    ...(modelCalls === 'replay' && replayFrom === '' && { replay_from: ['Choose the run to replay.'] }),
    ...(lacksBaseline(draft.stop) && { 'stop_when.decided.baseline': ['Choose the baseline.'] }),
  };
  if ('problems' in reading || Object.keys(problems).length > 0) return { problems };
  const { labels } = reading;
  const stop = readStop(draft.stop);
  const keys = (draft.cases ?? '').split('\n').map((key) => key.trim());
  const cases = [...new Set(keys)].filter((key) => key !== '');
  return {
    request: {
      challenge_pack_version_id: versionId,
      ...(deploymentIds && { deployment_ids: [...deploymentIds] }),
      ...(draft.variants && { variants: [...draft.variants] }),
      repetitions: Number(repetitions || 1),
      ...(inputSetId && { challenge_input_set_id: inputSetId }),
      ...(cases.length > 0 && { case_keys: cases }),
      ...(draft.onlyFailedOf.trim() && { only_failed_of: draft.onlyFailedOf.trim() }),
      ...(name.trim() && { name: name.trim() }),
      ...(maxConcurrency && { max_concurrency: Number(maxConcurrency) }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(modelCalls !== 'live' && { model_calls: modelCalls }),
      ...(replayFrom && { replay_from: replayFrom }),
      // The progress of peers differs in every run: the server refuses it in a replay.
      ...(draft.hasRaceContext && modelCalls !== 'replay' && { race_context: true }),
      ...(stop && { stop_when: stop }),
      ...(draft.seed && { seed: Number(draft.seed) }),
    },
  };
}

const KEY_CHARS_MAX = 64;
const VALUE_CHARS_MAX = 256;
const QUOTED_CHARS_MAX = 40;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

type LabelReading = { labels: Record<string, string> } | { problems: readonly string[] };

/** Parses labels, one `key=value` per line, or returns a problem for each invalid line. Empty lines are ignored. */
export function readLabels(text: string): LabelReading {
  const labels = new Map<string, { value: string; line: number }>();
  const problems: string[] = [];
  text.split('\n').forEach((written, index) => {
    if (written.trim() === '') return;
    const line = index + 1;
    const equals = written.indexOf('=');
    const key = written.slice(0, Math.max(equals, 0)).trim();
    const value = written.slice(equals + 1).trim();
    const problem = equals < 0 ? 'has no "=" between a key and a value' : problemOf(key, value);
    const earlier = labels.get(key);
    if (problem !== undefined) problems.push(`Line ${line}, "${quoted(written)}", ${problem}.`);
    else if (earlier) problems.push(`Line ${line} gives "${key}" again, after line ${earlier.line}.`);
    else labels.set(key, { value, line });
  });
  if (problems.length > 0) return { problems };
  return { labels: Object.fromEntries(Array.from(labels, ([key, { value }]) => [key, value])) };
}

/** Problems that the server would report without a line. */
function problemOf(key: string, value: string): string | undefined {
  if (key === '') return 'has no key before its "="';
  if (key.length > KEY_CHARS_MAX) return `has a key of more than ${KEY_CHARS_MAX} characters`;
  if (value.length > VALUE_CHARS_MAX) return `has a value of more than ${VALUE_CHARS_MAX} characters`;
  if (UNPRINTABLE.test(key) || UNPRINTABLE.test(value)) return 'holds a control character, such as a tab';
  return undefined;
}

function quoted(line: string): string {
  const text = line.trim();
  return text.length > QUOTED_CHARS_MAX ? `${text.slice(0, QUOTED_CHARS_MAX)} …` : text;
}
