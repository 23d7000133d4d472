import { type ModelConnection, neededSecrets } from '@agentclash/attempt-plan';
import { type EvaluationSpec, type Manifest, serverSecrets } from '@agentclash/challengepack';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import type { PackModels } from '../models/pack-models.js';
import { modelsOf } from './run-models.js';
import { activeTools } from './run-tools.js';

/** The secrets that a run declares, by who may open them; keys sorted, each once. */
export interface SecretNeeds {
  /** Every attempt: the pack's tools and servers, the simulated users. */
  everyone: string[];
  /** The attempts of each agent, in their order: its own tools and credential. */
  agents: string[][];
  judges: string[];
}

export interface SecretSources {
  manifest: Manifest;
  spec: EvaluationSpec;
  packModels: PackModels;
  /** Names of the models that play users. */
  simulators: readonly string[];
  agents: readonly AgentSnapshot[];
  /** The secret that a credential names; nothing where it names none. */
  secretKeyOf: (reference: string) => string | undefined;
}

export function secretNeeds({
  manifest,
  spec,
  packModels,
  simulators,
  agents,
  secretKeyOf,
}: SecretSources): SecretNeeds {
  const credential = ({ credential_reference: reference }: Pick<ModelConnection, 'credential_reference'>) =>
    [reference === undefined ? [] : (secretKeyOf(reference) ?? [])].flat();
  const ofModels = (names: readonly string[]) =>
    names.flatMap((name) => {
      const model = packModels[name];
      return model === undefined ? [] : credential(model);
    });
  return {
    everyone: sorted([
      ...neededSecrets({ custom: manifest.tools?.custom ?? [], workspace: [] }),
      ...serverSecrets(manifest.tools?.mcp_servers ?? []),
      ...ofModels(simulators),
    ]),
    agents: agents.map((agent) =>
      sorted([
        ...neededSecrets({ custom: [], workspace: activeTools(agent) }),
        ...serverSecrets(agent.mcp_servers ?? []),
        ...(agent.kind === 'endpoint' ? [agent.config] : modelsOf(agent)).flatMap(credential),
      ]),
    ),
    judges: sorted(ofModels(spec.llm_judges.flatMap(({ models }) => models))),
  };
}

function sorted(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort();
}
