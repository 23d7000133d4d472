import {
  admittedKinds,
  isJsonObject,
  type JsonValue,
  type Manifest,
  secretKeysOf,
} from '@agentclash/challengepack';
import type { ErrorCode } from '@agentclash/contracts';
import type { AgentSnapshot } from '../plans/agent-snapshot.js';

export interface AdmissionFault {
  code: ErrorCode;
  message: string;
}

export interface Warning {
  code: string;
  message: string;
}

type Agent = Pick<AgentSnapshot, 'name' | 'kind'>;

/** Modes that can run here. */
const MODES: readonly string[] = ['native', 'prompt_eval'];

/** Attempts that one run may have. */
const ATTEMPTS_MAX = 100_000;

/** Whether the run would be too large. */
export function sizeFault(counts: {
  agents: number;
  cases: number;
  repetitions: number;
}): AdmissionFault | undefined {
  const total = counts.agents * counts.cases * counts.repetitions;
  if (total <= ATTEMPTS_MAX) return undefined;
  return {
    code: 'invalid_input',
    message: `The run would have ${total} attempts; at most ${ATTEMPTS_MAX} are possible. Ask for fewer repetitions.`,
  };
}

/** What this installation lacks to run the pack; nothing when it can. */
export function capabilityFault(manifest: Manifest): AdmissionFault | undefined {
  const { version, sandbox = {}, modality } = manifest;
  const lacks = (what: string): AdmissionFault => ({
    code: 'unsupported_capability',
    message: `The pack needs ${what}, which this installation does not have.`,
  });
  if (modality !== undefined) return lacks(`modality "${modality}"`);
  if (!MODES.includes(version.execution_mode)) return lacks(`execution mode "${version.execution_mode}"`);
  if (sandbox.sandbox_template_id !== undefined)
    return lacks(`the sandbox template "${sandbox.sandbox_template_id}"`);
  const packages = sandbox.additional_packages ?? [];
  if (packages.length > 0) return lacks(`the packages ${packages.join(', ')} in its sandbox`);
  return undefined;
}

/** The first deployment that cannot run the pack. */
export function compatibilityFault(manifest: Manifest, agents: readonly Agent[]): AdmissionFault | undefined {
  if (manifest.version.execution_mode !== 'prompt_eval') return undefined;
  const program = agents.find(({ kind }) => kind === 'program');
  return (
    program && {
      code: 'incompatible_deployment',
      message: `The deployment "${program.name}" is a program; a pack of mode prompt_eval has no sandbox to run it in.`,
    }
  );
}

/** What whoever reads the run's results should know. */
export function admissionWarnings(manifest: Manifest, agents: readonly Agent[]): Warning[] {
  if (admittedKinds(manifest).has('shell')) return [];
  return agents
    .filter(({ kind }) => kind === 'program')
    .map(({ name }) => ({
      code: 'program_exceeds_tool_policy',
      message: `The program "${name}" starts processes, which the pack's tool policy gives to no agent.`,
    }));
}

/** Keys of the secrets that the pack's tools open, sorted. */
export function secretKeysOfPack(manifest: Manifest): string[] {
  const texts = (manifest.tools?.custom ?? []).flatMap((tool) => textsOf(tool.implementation.args ?? {}));
  return [...new Set(texts.flatMap(secretKeysOf))].sort();
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}
