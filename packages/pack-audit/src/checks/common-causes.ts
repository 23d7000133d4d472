import type { Finding } from '../report/report.js';

/** So many cheats that gain alike, and at least half of those tried, have a grader in common that takes nearly anything. */
const ALIKE_MIN = 10;
const ALIKE_SHARE = 0.5;

/** Findings of one cause as one finding, of `tried` cheats with one finding each for every code. */
export function byCause(findings: readonly Finding[], tried: number): Finding[] {
  const groups = Map.groupBy(findings, causeOf);
  return [...groups.values()].flatMap((group) => commonFinding(group, { all: findings, tried }) ?? group);
}

/** Equal for findings that name the same graders and cases, or that were not graded for the same reason. */
function causeOf({ severity, code, detail, ...finding }: Finding): string {
  const { input_set_key, case_key, other_case_keys, validators, dimensions } = finding;
  return severity === 'missing'
    ? JSON.stringify([severity, detail])
    : JSON.stringify([code, input_set_key, case_key, other_case_keys, validators, dimensions]);
}

function commonFinding(
  [first, ...others]: readonly Finding[],
  { all, tried }: { all: readonly Finding[]; tried: number },
): Finding[] | undefined {
  if (first === undefined) return undefined;
  const count = others.length + 1;
  if (first.severity === 'missing') {
    return count < Math.max(2, tried, all.length) ? undefined : [notGraded(first, tried)];
  }
  if (count < Math.max(ALIKE_MIN, ALIKE_SHARE * tried)) return undefined;
  return [
    {
      ...first,
      message: `${first.message} So do ${others.length} further cheats of ${tried}: nearly any attempt gains this.`,
      fix: 'Make the grader look at the work itself, so that an attempt without it fails, and run the audit again: a cheat that still gains has a finding of its own.',
      other_cheats: others.flatMap(({ cheat }) => cheat ?? []),
    },
  ];
}

/** Nothing could be graded: that is no fact about any one cheat. */
function notGraded({ cheat, ...first }: Finding, tried: number): Finding {
  return {
    ...first,
    message: `None of ${tried} cheats was graded, all for the same reason, ${cheat} first.`,
    fix: 'Remove the cause that the detail names and run the audit again.',
  };
}
