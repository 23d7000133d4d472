import type { Judge } from '@agentclash/challengepack';
import { dataBlock } from './data-block.js';
import { ANTI_GAMING, DATA_RULE, ROLE, replyContract } from './prompt-texts.js';

export interface JudgeMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A text with the reference that it was found by. */
export interface JudgeText {
  readonly reference: string;
  readonly text: string;
}

/** An agent's texts under the label it is shown by. */
export interface JudgeCandidate {
  readonly label: string;
  readonly texts: readonly JudgeText[];
}

/** What a judge gets to see. */
export interface JudgeMaterial {
  readonly contexts: readonly JudgeText[];
  /** What `reference_from` names. */
  readonly expected?: JudgeText | undefined;
  /** For n_wise, in the order shown. */
  readonly candidates?: readonly JudgeCandidate[] | undefined;
}

/** The two messages of one judge call. The same material gives the same bytes. */
export function judgeMessages(judge: Judge, material: JudgeMaterial): JudgeMessage[] {
  const labels = (material.candidates ?? []).map(({ label }) => label);
  const system = [ROLE, ANTI_GAMING, ...judge.anti_gaming_clauses, DATA_RULE, replyContract(judge, labels)];
  const user = [
    taskOf(judge),
    ...material.contexts.map(({ reference, text }) => dataBlock(`context ${reference}`, text)),
    ...(material.candidates ?? []).flatMap(({ label, texts }) =>
      texts.map(({ reference, text }) => dataBlock(`candidate ${label} ${reference}`, text)),
    ),
    ...(material.expected
      ? [dataBlock(`reference ${material.expected.reference}`, material.expected.text)]
      : []),
  ];
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: user.join('\n\n') },
  ];
}

function taskOf({ rubric, assertion, prompt }: Judge): string {
  return rubric ?? assertion ?? prompt ?? '';
}
