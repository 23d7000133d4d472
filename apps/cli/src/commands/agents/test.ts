import { EXIT_CODES, type ExitCode, type WireKey } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { Interrupt } from '../../follow/interrupt.js';
import type { Session } from '../../session/session.js';
import { oneLine } from '../../terminal/printable.js';
import { withSandboxes } from '../sandboxes/with-sandboxes.js';
import { agentFiles } from './agent-files.js';
import { type AgentPackages, installMissing, openPackages, presetOf } from './presets.js';

type Preset = import('@agentclash/agent-presets').Preset;
type PresetCheck = import('@agentclash/preset-check').PresetCheck;
type HostDirectory = import('@agentclash/sandbox').HostDirectory;
type SandboxProvider = import('@agentclash/sandbox').SandboxProvider;

interface Input {
  name: string;
  api?: WireKey;
  acp?: boolean;
  files?: string;
}

/** The checks, in words. */
const LABELS: Readonly<Record<PresetCheck['key'], string>> = {
  starts: 'starts',
  model: 'calls the model',
  task: 'reads the task',
  instructions: 'reads instructions',
  edits: 'edits a file',
  output: 'output is read',
  exit: 'exits',
};
const LABEL_WIDTH = Math.max(...Object.values(LABELS).map(({ length }) => length));

/** Runs a preset on a small task with a scripted model, offline; ends with 1 when something does not work. */
export async function testAgent(
  session: Session,
  { name, api, acp: isAcp = false, files: folder }: Input,
): Promise<ExitCode> {
  const { out } = session;
  const [preset, packages] = await Promise.all([presetOf(name), openPackages()]);
  const files = folder === undefined ? undefined : await agentFiles(folder);
  if (api !== undefined && !preset.wires.includes(api)) {
    throw new CommandError('usage', `${preset.name} does not use the API ${api}`, { choices: preset.wires });
  }
  if (isAcp && preset.acp === undefined) {
    throw new CommandError('usage', `${preset.name} has no command for ACP`, {
      hint: 'The member acp of a preset has it (docs/agent-presets.md).',
    });
  }
  const interrupt = new Interrupt();
  let endUse = async () => {};
  try {
    const { signal } = interrupt;
    await installMissing(preset, { packages, session, signal });
    const shown = (await packages.of(preset)).flatMap(({ installed }) => installed?.root ?? []);
    endUse = await packages.layers.use(shown);
    out.note(
      out.paint.dim(`${preset.name}: runs on a small task with a scripted model, without a network …`),
    );
    const checks = await withPackageSandboxes(preset, async (sandboxes) => {
      const { checkPreset } = await import('@agentclash/preset-check');
      return await checkPreset(preset, {
        sandboxes,
        signal,
        isAcp,
        directories: (each) => directoriesOf(each, packages),
        ...(api !== undefined && { wire: api }),
        ...(files && { files }),
      });
    });
    const isWorking = checks.every(({ state }) => state !== 'problem');
    for (const check of checks) out.line(lineOf(check, session));
    out.document({ name: preset.name, works: isWorking, checks });
    return isWorking ? EXIT_CODES.ok : EXIT_CODES.failed;
  } catch (error) {
    if (interrupt.happened) throw new CommandError('try_again', 'The test was interrupted', { cause: error });
    throw error;
  } finally {
    interrupt.release();
    await endUse();
  }
}

function lineOf({ key, state, detail }: PresetCheck, { out: { paint } }: Session): string {
  const marks = {
    ok: paint.green('ok     '),
    problem: paint.red('problem'),
    unknown: paint.yellow('unknown'),
  };
  return `${marks[state]}  ${LABELS[key].padEnd(LABEL_WIDTH)}  ${oneLine(detail)}`;
}

/** The change to make, by sandbox provider. */
const HINTS: Readonly<Record<string, string>> = {
  kubernetes: 'Set AGENT_PACKAGES_CLAIM (docs/kubernetes.md).',
  e2b: 'Use a template with the agent, and a preset without packages (docs/agents.md).',
};

/** Sandboxes that can show the packages of the preset. */
async function withPackageSandboxes<T>(
  preset: Preset,
  work: (sandboxes: SandboxProvider) => Promise<T>,
): Promise<T> {
  const { hasPackages } = await import('@agentclash/agent-presets');
  return await withSandboxes('agents-test', async (sandboxes) => {
    if (hasPackages(preset) && !sandboxes.capabilities.hostDirectories) {
      throw new CommandError(
        'unavailable',
        `Sandboxes of ${sandboxes.name} cannot show packages of coding agents`,
        { hint: HINTS[sandboxes.name] ?? 'Presets with packages need SANDBOX_PROVIDER=bubblewrap.' },
      );
    }
    return await work(sandboxes);
  });
}

async function directoriesOf(preset: Preset, packages: AgentPackages): Promise<HostDirectory[]> {
  const { directoriesOfLayers } = await import('@agentclash/preset-check');
  const installed = await packages.of(preset);
  return directoriesOfLayers(
    preset,
    installed.flatMap(({ installed: layer }) => layer ?? []),
  );
}
