import { ContractError, type FieldProblem, type ReviewItem, type ReviewSpec } from '@agentclash/contracts';

type Verdict = Pick<ReviewSpec, 'vote' | 'label' | 'scores'>;

/** Fails with `invalid_input` and every problem when the review does not fit an item of the kind. */
export function checkReview(kind: string, criteria: ReviewItem['criteria'], review: Verdict): void {
  const errors = kind === 'pairwise' ? pairProblems(review) : singleProblems(criteria, review);
  if (errors.length === 0) return;
  const messages = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new ContractError('invalid_input', `The review does not fit the item: ${messages}.`, { errors });
}

function pairProblems({ vote, label, scores }: Verdict): FieldProblem[] {
  return [
    ...(vote === undefined ? [problem('required', 'vote', 'left, right or tie is required for a pair')] : []),
    ...(label === undefined ? [] : [problem('not_allowed', 'label', 'a pair has a vote, and no label')]),
    ...(scores === undefined ? [] : [problem('not_allowed', 'scores', 'a pair has a vote, and no scores')]),
  ];
}

function singleProblems(
  criteria: ReviewItem['criteria'],
  { vote, label, scores = {} }: Verdict,
): FieldProblem[] {
  return [
    ...(label === undefined
      ? [problem('required', 'label', 'pass or fail is required for a single output')]
      : []),
    ...(vote === undefined
      ? []
      : [problem('not_allowed', 'vote', 'a single output has a label, and no vote')]),
    ...Object.entries(scores).flatMap(([key, score]) => scoreProblem(criteria, key, score) ?? []),
  ];
}

function scoreProblem(
  criteria: ReviewItem['criteria'],
  key: string,
  score: number,
): FieldProblem | undefined {
  const field = `scores.${key}`;
  const criterion = criteria.find((each) => each.key === key);
  if (criterion === undefined) {
    const known = criteria.map((each) => each.key).join(', ');
    return problem('unknown_value', field, `no criterion of the pack; it has ${known || 'none'}`);
  }
  const { min, max, mode } = criterion;
  if (mode === 'assertion' && score !== 0 && score !== 1) {
    return problem('out_of_range', field, 'must be 1 where the assertion holds, or 0');
  }
  if (score >= min && score <= max) return undefined;
  return problem('out_of_range', field, `must be from ${min} to ${max}`);
}

function problem(code: string, field: string, message: string): FieldProblem {
  return { code, field, message };
}
