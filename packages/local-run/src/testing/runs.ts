import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import type { Deployment, RecordedEvent } from '@agentclash/contracts';
import { localPack } from '@agentclash/local-attempts';
import type { SecretValues } from '../models/local-secrets.js';
import type { EndRecord } from '../results/records.js';
import { ResultsWriter } from '../results/results-writer.js';
import { continueResults, startRecord } from '../run/continue-results.js';
import { uuidOf } from '../run/ids.js';
import type { LocalAgents } from '../run/local-agents.js';
import { LocalRun } from '../run/local-run.js';
import { openMachine } from '../run/machine.js';
import { type LocalRunRequest, type PreparedRun, prepareRun } from '../run/prepare-run.js';
import { openGrader } from '../scoring/local-grader.js';

const NO_SECRETS: SecretValues = { given: () => undefined, variable: () => undefined };
const AT = '2026-01-01T00:00:00.000Z';

/** A pack of prompts: each case wants its own word. */
export function wordsPack(cases: number, extra = ''): string {
  const rows = Array.from(
    { length: cases },
    (_, n) =>
      `      - {challenge_key: repeat, case_key: case-${n + 1}, payload: {word: w${n + 1}}, expectations: [{key: word, kind: text, value: w${n + 1}}]}`,
  );
  return `pack: {slug: words, name: Words, family: words}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: words
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.word}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
${extra}challenges:
  - {key: repeat, title: Repeat the word, category: words, difficulty: easy, instructions: 'Repeat {{word}}.'}
input_sets:
  - key: all
    name: All words
    cases:
${rows.join('\n')}
`;
}

/** A scripted agent, or one of another kind. */
export function deployment(name: string, config: object, kind: Deployment['kind'] = 'scripted'): Deployment {
  return {
    ...{ id: uuidOf(name), name, kind, revision: 1, runtime_profile_id: null, status: 'active' },
    ...{ config: { ...config }, created_at: AT, updated_at: AT },
  };
}

export function agentsOf(...deployments: Deployment[]): LocalAgents {
  return { deployments, profiles: [], accounts: [], aliases: [], tools: [], files: new Map() };
}

/** Replies with the word of each case. */
export const ECHO = deployment('echo', { steps: [{ answer: '{{word}}' }] });
export const MUTE = deployment('mute', { steps: [{ answer: 'nothing' }] });

export async function prepared(
  text: string,
  agents: LocalAgents,
  { secretValues = NO_SECRETS, ...request }: Partial<LocalRunRequest> & { secretValues?: SecretValues } = {},
): Promise<PreparedRun> {
  const { valid, pack, problems, summary } = readPack(text);
  if (!valid) throw new Error(problems.map(({ message, line }) => `${line}: ${message}`).join('\n'));
  const read = await localPack({ pack, problems, digest: summary.digest ?? '' }, async () => undefined);
  return await prepareRun({ pack: read, summary, name: pack.pack.name }, agents, {
    request: { repetitions: 1, ...request },
    secretValues,
  });
}

/** A folder of its own for files of results. */
export function resultsFolder(): { path: (name: string) => string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-local-run-'));
  chmodSync(folder, 0o755);
  return {
    path: (name) => path.join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Conducting {
  file: string;
  isContinued?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: RecordedEvent) => void;
  concurrency?: number;
  allowsLoopback?: boolean;
}

/** Conducts a run of prompts to its end, or until the signal ends it. */
export async function conducted(run: PreparedRun, options: Conducting): Promise<EndRecord | undefined> {
  const { file, isContinued = false, onEvent = () => undefined, concurrency = 4 } = options;
  const { signal = new AbortController().signal, allowsLoopback = false } = options;
  const { writer, finished } = isContinued
    ? await continueResults(file, run)
    : { writer: await ResultsWriter.create(file), finished: [] };
  if (!isContinued) writer.add(startRecord(run, '0.0.0'));
  const onError = (error: unknown) => {
    throw error;
  };
  const machine = await openMachine(run, {
    ...{ sandboxes: undefined, environment: {}, allowsLoopback, onError, signal },
  });
  const grader = openGrader();
  const local = new LocalRun(run, { ...machine, grader, results: writer, concurrency, signal, onEvent });
  for (const attempt of finished) local.restore(attempt);
  try {
    return await local.run();
  } finally {
    await grader.stop();
    await writer.close();
  }
}
