import type { Deployment, ModelAlias, ProviderAccount, RuntimeProfile, Tool } from '@agentclash/contracts';

/** The resources of a workspace that a run takes its agents from, read from a file. */
export interface LocalAgents {
  deployments: readonly Deployment[];
  profiles: readonly RuntimeProfile[];
  accounts: readonly ProviderAccount[];
  aliases: readonly ModelAlias[];
  tools: readonly Tool[];
  /** The files of programs, skills and servers, by artifact id. */
  files: ReadonlyMap<string, Uint8Array>;
}
