interface CaseOfLane {
  runId: string;
  runAgentId: string;
  caseKey: string;
}

/** Address of the evidence of a case: the scorecard of its only attempt, otherwise the list of its attempts. */
export function evidenceAddress(
  { runId, runAgentId, caseKey }: CaseOfLane,
  attempts: readonly { id: string }[],
): string {
  const [first, ...others] = attempts;
  if (first !== undefined && others.length === 0) return `/attempts/${first.id}/scorecard`;
  return `/runs/${runId}/agents/${runAgentId}?case=${encodeURIComponent(caseKey)}`;
}
