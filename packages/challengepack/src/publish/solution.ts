import type { ScriptStep } from '@agentclash/domain';
import { type CaseEntry, type CaseEvidence, caseText } from '../cases/case-text.js';
import { parseReference, type Reference } from '../evaluation-spec/references.js';
import type { Asset, Case, Manifest, Solution } from '../pack/model.js';
import { SOLUTION_SECONDS } from '../pack/solution.js';
import { type SolutionPart, solutionParts } from '../templates/solution-template.js';
import { findAsset } from './staged-files.js';

/** UTF-16 units of one filled text. */
export const SOLUTION_TEXT_MAX = 1_048_576;

/** A text, or the asset that holds it. */
export type SolutionContent = { content: string } | { asset: Asset };

/** The proof of a case: `steps`, or files, a command and an answer in this order. */
export interface ResolvedSolution {
  files: ({ path: string; executable: boolean } & SolutionContent)[];
  run?: string;
  timeout_seconds: number;
  environment: Record<string, string>;
  /** Those of a scripted deployment, whose templates are filled when they are played. */
  steps?: ScriptStep[];
  /** The final output. */
  answer?: SolutionContent;
}

/** A solution that names what its case does not have: none of a pack without errors. */
export class SolutionError extends Error {
  override readonly name = 'SolutionError';

  constructor(
    readonly code: 'unresolved' | 'too_long',
    message: string,
  ) {
    super(message);
  }
}

/** The solution of a case: its own, else that of its challenge; undefined without any. Throws SolutionError. */
export function solutionOf(manifest: Manifest, each: Case): ResolvedSolution | undefined {
  const challenge = manifest.challenges.find(({ key }) => key === each.challenge_key);
  const solution = each.solution ?? challenge?.solution;
  if (solution === undefined) return undefined;
  const texts = new SolutionTexts(manifest, each);
  const { run, timeout_seconds = SOLUTION_SECONDS, environment = {}, steps } = solution;
  const answer = answerOf(solution, texts);
  return {
    files: (solution.files ?? []).map(({ path, asset, content = '', executable = false }) => ({
      path,
      executable,
      ...(asset === undefined ? texts.fill(content) : { asset: texts.asset(asset) }),
    })),
    ...(run !== undefined && { run }),
    timeout_seconds,
    environment,
    ...(steps && { steps }),
    ...(answer && { answer }),
  };
}

function answerOf(
  { answer, answer_from: written }: Solution,
  texts: SolutionTexts,
): SolutionContent | undefined {
  if (written !== undefined) return texts.find(written, parseReference(written));
  return answer === undefined ? undefined : texts.fill(answer);
}

/** Before the key of an asset, in the place of its content. No text of a pack holds a pair of NULs. */
const ASSET_MARK = '\0\0asset ';

/** The parts of a case that the texts of its solution name. */
class SolutionTexts {
  readonly #evidence: CaseEvidence;

  constructor(
    private readonly manifest: Manifest,
    private readonly each: Case,
  ) {
    this.#evidence = evidenceOf(manifest, each);
  }

  asset(key: string): Asset {
    const { manifest, each } = this;
    const found = findAsset(manifest, each, key, each.challenge_key);
    if (found) return found;
    throw new SolutionError('unresolved', `the case ${each.case_key} has no asset "${key}"`);
  }

  fill(template: string): SolutionContent {
    const parts = solutionParts(template);
    const [only] = parts;
    if (parts.length === 1 && only && 'reference' in only) return this.find(only.written, only.reference);
    let content = '';
    for (const part of parts) {
      content += this.#textOf(part);
      if (content.length <= SOLUTION_TEXT_MAX) continue;
      throw new SolutionError('too_long', `a text of the solution of ${this.each.case_key} is too long`);
    }
    return { content };
  }

  find(written: string, reference: Reference | null): SolutionContent {
    const text = reference === null ? undefined : caseText(this.#evidence, reference);
    if (text === undefined) {
      throw new SolutionError('unresolved', `the case ${this.each.case_key} has no ${written}`);
    }
    if (!text.startsWith(ASSET_MARK)) return { content: text };
    return { asset: this.asset(text.slice(ASSET_MARK.length)) };
  }

  #textOf(part: SolutionPart): string {
    if ('text' in part) return part.text;
    const found = this.find(part.written, part.reference);
    if ('content' in found) return found.content;
    throw new SolutionError('unresolved', `${part.written} is a file, which can be no part of a text`);
  }
}

function evidenceOf(manifest: Manifest, each: Case): CaseEvidence {
  const challenge = manifest.challenges.find(({ key }) => key === each.challenge_key);
  const assets = [manifest.version.assets, challenge?.assets, each.assets].flatMap((list = []) => list);
  return {
    payload: each.payload,
    inputs: byKey(each.inputs),
    expectations: byKey(each.expectations),
    artifacts: byKey(assets.map((asset) => ({ ...asset, content: `${ASSET_MARK}${asset.key}` }))),
  };
}

function byKey<T extends { key: string }>(entries: readonly (T & CaseEntry)[] = []): Record<string, T> {
  return Object.fromEntries(entries.map((entry) => [entry.key, entry]));
}
