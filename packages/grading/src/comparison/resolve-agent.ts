/** The run agent that a comparison means: the named one, else the only one; undefined is `agent_unresolved`. */
export function resolveRunAgent<A extends { readonly id: string }>(
  agents: readonly A[],
  named?: string,
): A | undefined {
  if (named !== undefined) return agents.find((agent) => agent.id === named);
  return agents.length === 1 ? agents[0] : undefined;
}
