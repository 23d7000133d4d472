import type { ProgramConfig } from '@agentclash/attempt-plan';
import { admittedKinds, type Manifest, type ToolKind } from '@agentclash/challengepack';
import { kindProblem } from '@agentclash/domain';
import { type AgentSnapshot, hasTools } from '../agents/agent-snapshot.js';
import type { AdmissionProblem, Warning } from '../problems/admission-problem.js';

type Agent = Pick<AgentSnapshot, 'name' | 'kind'>;

/** Attempts that one run may have. */
const ATTEMPTS_MAX = 100_000;

/** The problem of a run that would be too large. */
export function sizeProblem(counts: {
  agents: number;
  cases: number;
  repetitions: number;
}): AdmissionProblem | undefined {
  const total = counts.agents * counts.cases * counts.repetitions;
  if (total <= ATTEMPTS_MAX) return undefined;
  return {
    code: 'invalid_input',
    message: `The run would have ${total} attempts; at most ${ATTEMPTS_MAX} are possible. Request fewer repetitions.`,
  };
}

/**
 * The requirement of the pack that this installation lacks, whatever its executors can do; undefined when there is
 * none.
 */
export function capabilityProblem(manifest: Manifest): AdmissionProblem | undefined {
  const { modality } = manifest;
  if (modality === undefined) return undefined;
  return {
    code: 'unsupported_capability',
    message: `The pack needs modality "${modality}", which this installation does not have.`,
  };
}

/** The first deployment that cannot run the pack. */
export function compatibilityProblem(
  manifest: Manifest,
  agents: readonly Agent[],
): AdmissionProblem | undefined {
  for (const { name, kind } of agents) {
    const problem = kindProblem(kind, manifest.version.execution_mode);
    if (problem === undefined) continue;
    const message = `The deployment "${name}" of kind ${kind} ${problem}.`;
    return { code: 'incompatible_deployment', message };
  }
  return undefined;
}

type ConversationAgent = Pick<AgentSnapshot, 'name'> &
  ({ kind: 'program'; config: ProgramConfig } | { kind: Exclude<AgentSnapshot['kind'], 'program'> });

/** The first program that cannot hold the conversations of the cases. */
export function conversationProblem(
  { version, challenges }: Manifest,
  { hasPerson, agents }: { hasPerson: boolean; agents: readonly ConversationAgent[] },
): AdmissionProblem | undefined {
  const isConversation = version.execution_mode === 'multi_turn';
  if (!isConversation && challenges.every(({ execution_mode }) => execution_mode === undefined))
    return undefined;
  for (const agent of agents) {
    if (agent.kind !== 'program') continue;
    const { preset, protocol } = agent.config;
    const isAcp = protocol === 'acp';
    if (isAcp ? !hasPerson : preset === undefined) continue;
    const problem = isAcp ? PERSON_HINT : `runs ${taskHint(preset?.definition)}`;
    const message = `The deployment "${agent.name}" ${problem}`;
    return { code: 'incompatible_deployment', message };
  }
  return undefined;
}

function taskHint({ name, acp }: { name?: string; acp?: object | undefined } = {}): string {
  const step =
    acp === undefined
      ? 'run the agent as a program with "protocol: acp", if it has a command for it'
      : 'add "protocol: acp" to its config';
  return `the preset ${name} on one task, without turns: for a pack of mode multi_turn, ${step}.`;
}
const PERSON_HINT = [
  'is a program with "protocol: acp", which cannot wait for a person, and the pack has phases of the actor "human":',
  'its process ends with the sandbox that is stored for the time of the wait.',
  'Deploy it as a program without a protocol or as an endpoint, which receive the conversation so far in each turn.',
].join(' ');

/** Warnings about the agents, for readers of the run's results. */
export function agentWarnings(
  manifest: Manifest,
  agents: readonly (Agent & Pick<AgentSnapshot, 'mcp_servers'>)[],
): Warning[] {
  const hasSandbox = manifest.version.execution_mode !== 'prompt_eval';
  const kinds = hasSandbox ? admittedKinds(manifest) : new Set<ToolKind>();
  const exceeding = hasSandbox && !kinds.has('shell') ? agents.filter(({ kind }) => kind === 'program') : [];
  return [...programWarnings(exceeding), ...serverWarnings(manifest, agents, kinds)];
}

/** One warning for all lanes. */
function programWarnings(programs: readonly Agent[]): Warning[] {
  if (programs.length === 0) return [];
  const names = quoted(programs);
  const start = programs.length === 1 ? `The program ${names} starts` : `The programs ${names} start`;
  const message = `${start} processes, which the pack's tool policy gives to no agent.`;
  return [{ code: 'program_exceeds_tool_policy', message }];
}

/** One warning for each server, with its lanes. */
function serverWarnings(
  { tools }: Manifest,
  agents: readonly (Agent & Pick<AgentSnapshot, 'mcp_servers'>)[],
  admitted: ReadonlySet<ToolKind>,
): Warning[] {
  const refused = agents.flatMap((agent) => {
    const ofPack = hasTools(agent) ? (tools?.mcp_servers ?? []) : [];
    const own = agent.mcp_servers ?? [];
    const all = [
      ...ofPack.map((server) => ({ server, isOfPack: true })),
      ...own.map((server) => ({ server, isOfPack: false })),
    ];
    return all.flatMap(({ server, isOfPack }) => {
      const requires: keyof typeof NOT_ADMITTED | undefined =
        'url' in server ? 'network' : agent.kind === 'program' ? undefined : 'shell';
      return requires === undefined || admitted.has(requires)
        ? []
        : [{ name: agent.name, server: server.name, requires, isOfPack }];
    });
  });
  const groups = new Map<string, typeof refused>();
  for (const entry of refused) {
    const key = JSON.stringify([entry.server, entry.requires, entry.isOfPack]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()].flatMap((lanes) => {
    const [first] = lanes;
    if (first === undefined) return [];
    const what = first.isOfPack
      ? `"${first.server}" of the pack is not started for ${quoted(lanes)}`
      : `"${first.server}" of ${quoted(lanes)} is not started`;
    const message = `The MCP server ${what}: ${NOT_ADMITTED[first.requires]}`;
    return [{ code: 'mcp_server_not_admitted', message }];
  });
}

const NOT_ADMITTED = {
  network:
    'the pack does not admit the kind network, which needs sandbox.network_access: true and a tool policy that does not leave it out.',
  shell: "the pack's tool policy does not admit the kind shell.",
};

const NAMES_MAX = 10;

/** `"a", "b" and "c"`; of many, the first. */
export function quoted(named: readonly { name: string }[]): string {
  const texts = named.map(({ name }) => `"${name}"`);
  const rest = texts.length - NAMES_MAX;
  const shown = rest > 0 ? [...texts.slice(0, NAMES_MAX), `${rest} more`] : texts;
  return shown.length === 1 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The parts of the request that have no effect with this pack and these agents. */
export function requestWarnings(
  { race_context }: { race_context?: boolean | undefined },
  { version }: Manifest,
  agents: readonly Agent[],
): Warning[] {
  const hasPeerUpdates = version.execution_mode === 'native' && agents.some(({ kind }) => kind === 'model');
  if (!race_context || hasPeerUpdates) return [];
  const message =
    'race_context has no effect: only model agents in mode native receive updates about their peers.';
  return [{ code: 'race_context_ignored', message }];
}
