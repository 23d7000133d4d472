import { createHash, randomUUID } from 'node:crypto';
import { hasPackages, lockfileDigest, type Preset } from '@agentclash/agent-presets';
import {
  type ArtifactRef,
  type AttemptPlan,
  DEFAULT_LIMITS,
  plannedFilesystem,
  plannedSandbox,
} from '@agentclash/attempt-plan';
import type { ProviderKey, WireKey } from '@agentclash/domain';
import type { Script } from '@agentclash/scripted-model';

/** Words that occur nowhere else, by which evidence is recognised. */
export interface Marks {
  task: string;
  instructions: string;
  file: string;
  output: string;
}

export function newMarks(): Marks {
  const mark = (name: string) => `${name}${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  return { task: mark('task'), instructions: mark('rule'), file: mark('note'), output: mark('end') };
}

const FILE = 'agentclash-note.txt';
const SECONDS = 120;
const CPUS = 2;
/** The agent may repeat requests, but a loop ends soon. */
const CALLS_MAX = 20;

/** A provider of each API. */
const PROVIDERS: Record<WireKey, ProviderKey> = {
  anthropic: 'anthropic',
  chat: 'mistral',
  responses: 'openai',
  google: 'google',
};

interface SmallTaskOptions {
  wire: WireKey;
  marks: Marks;
  isAcp?: boolean;
  /** Files of the deployment, by their path in the agent's folder; each is an artifact of that name. */
  files?: ReadonlyMap<string, Uint8Array>;
}

/** The plan of an attempt at the small task. */
export function smallTask(
  preset: Preset,
  { wire, marks, isAcp = false, files = new Map() }: SmallTaskOptions,
): AttemptPlan {
  const lockfile_sha256 = hasPackages(preset) ? lockfileDigest(preset) : undefined;
  const main = {
    alias: 'main',
    provider_account_id: 'scripted',
    provider_key: PROVIDERS[wire],
    model: 'scripted',
  };
  const planned = {
    // The API under test is the only one, whichever the provider serves besides.
    definition: { ...preset, wires: [wire] },
    ...(lockfile_sha256 !== undefined && { lockfile_sha256 }),
    instructions: `The word of these instructions is ${marks.instructions}.`,
  };
  const id = () => randomUUID();
  return {
    schema: 'agentclash.attempt-plan/1',
    workspace_id: id(),
    run_id: id(),
    run_agent_id: id(),
    attempt_id: id(),
    delivery: 1,
    case_key: 'check',
    repetition: 1,
    mode: 'native',
    agent: {
      kind: 'program',
      config: {
        command: [],
        models: { main },
        preset: planned,
        files: [...files].map(([path, bytes]) => ({ path, artifact: artifactOf(path, bytes) })),
        ...(isAcp && { protocol: 'acp' }),
      },
    },
    challenge: {
      title: 'Write a note',
      instructions: `Write ${FILE} with the word of the task, which is ${marks.task}, and print it in capitals.`,
    },
    case: { payload: {}, inputs: [] },
    files: [],
    tools: { custom: [], workspace: [], allowed: [], denied: [] },
    tool_policy: {},
    filesystem: plannedFilesystem(),
    sandbox: plannedSandbox({}, { profile: { ...preset.resources, cpu: CPUS } }),
    limits: { ...DEFAULT_LIMITS, run_timeout_seconds: SECONDS, max_iterations: CALLS_MAX },
    narrowing: { denied_tools: [] },
    planted_secrets: [],
  };
}

function artifactOf(path: string, bytes: Uint8Array): ArtifactRef {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { artifact_id: path, sha256, bytes: bytes.length };
}

/** The model of the small task: it writes the note, prints it in capitals, and ends. */
export function smallScript({ file, output }: Marks): Script {
  return ({ tools, resultCount }) => {
    // Titles and summaries are requested without tools.
    if (tools.length === 0) return { text: `A note. ${output}` };
    if (resultCount === 0) return { write: { path: `/workspace/${FILE}`, content: `${file}\n` } };
    if (resultCount === 1) return { run: `tr a-z A-Z < /workspace/${FILE}` };
    return { text: `The note is written. ${output}` };
  };
}
