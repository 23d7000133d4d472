interface CaseOfLane {
  runId: string;
  runAgentId: string;
  caseKey: string;
}

/** Where the evidence of a lane's case stands: the only attempt's scorecard, else the list of the attempts. */
export function evidenceAddress(
  { runId, runAgentId, caseKey }: CaseOfLane,
  attempts: readonly { id: string }[],
): string {
  const [first, ...others] = attempts;
  if (first !== undefined && others.length === 0) return `/attempts/${first.id}/scorecard`;
  return `/runs/${runId}/agents/${runAgentId}?case=${encodeURIComponent(caseKey)}`;
}
