import type { WireKey } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { Interrupt } from '../../follow/interrupt.js';
import type { Session } from '../../session/session.js';
import { bytes, plural } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { installMissing, isPresetFile, type NeededLayer, openPackages, presetOf } from './presets.js';

type Preset = import('@agentclash/agent-presets').Preset;

const API_NAMES: Readonly<Record<WireKey, string>> = {
  anthropic: 'Anthropic',
  chat: 'OpenAI chat',
  responses: 'OpenAI responses',
  google: 'Gemini',
};

interface Listed {
  name: string;
  title: string;
  license: string | null;
  homepage: string | null;
  apis: string[];
  memory_bytes: number | null;
  packages: { name: string; version: string }[];
  is_installed: boolean;
  /** Of its own packages on disk, without a Node.js that several share. */
  bytes: number;
}

/** The Node.js that agents share. */
interface Runtime {
  name: string;
  version: string;
  is_installed: boolean;
  bytes: number;
}

export async function listAgents(session: Session): Promise<undefined> {
  const { out } = session;
  const [{ builtinPresets }, packages] = await Promise.all([
    import('@agentclash/agent-presets'),
    openPackages(),
  ]);
  const presets = [...builtinPresets().values()];
  const needed = await Promise.all(presets.map((preset) => packages.of(preset)));
  const items = presets.map((preset, at) => listed(preset, needed[at] ?? []));
  const runtimes = runtimesOf(needed.flat());
  printTable(out, items, {
    document: { directory: packages.directory, items, runtimes },
    columns: [
      { title: 'AGENT', value: ({ name }) => name, style: out.paint.bold },
      { title: 'TITLE', value: ({ title }) => title, leaveOut: 1 },
      { title: 'LICENCE', value: ({ license }) => license ?? '–' },
      { title: 'API', value: ({ apis }) => apis.join(', '), cutTo: 20 },
      {
        title: 'MEMORY',
        value: ({ memory_bytes: size }) => (size === null ? '–' : bytes(size)),
        key: 'memory_bytes',
        data: ({ memory_bytes: size }) => size,
        align: 'right',
      },
      {
        title: 'INSTALLED',
        value: (item) => (item.is_installed ? bytes(item.bytes) : 'no'),
        key: 'installed_bytes',
        data: (item) => (item.is_installed ? item.bytes : null),
        align: 'right',
      },
    ],
    text: (table) => [table(), '', ...runtimes.map(runtimeLine)].join('\n'),
  });
  out.note(out.paint.dim(`Packages are kept in ${packages.directory}. agentclash agents install NAME`));
}

/** Each once, though several agents need it. */
function runtimesOf(needed: readonly NeededLayer[]): Runtime[] {
  const found = needed.flatMap(({ holds, content, installed }) => {
    const [version] = content.packages.map((each) => each.version);
    if (holds !== 'node' || version === undefined) return [];
    const { name } = content;
    return [
      [name, { name, version, is_installed: installed !== undefined, bytes: installed?.bytes ?? 0 }] as const,
    ];
  });
  return [...new Map(found).values()];
}

function runtimeLine({ name, version, is_installed, bytes: size }: Runtime): string {
  return `${name} ${version}, which agents share: ${is_installed ? bytes(size) : 'not installed'}`;
}

function listed(preset: Preset, needed: readonly NeededLayer[]): Listed {
  const { name, title, license = null, homepage = null, wires, resources } = preset;
  const [main] = needed;
  return {
    name,
    title,
    license,
    homepage,
    apis: wires.map((wire) => API_NAMES[wire]),
    memory_bytes: resources.memory_bytes ?? null,
    packages: (main?.content.packages ?? [])
      .filter(
        ({ path }) =>
          preset.lockfile === undefined || preset.command.some((word) => word.includes(`/${path}/`)),
      )
      .map(({ name: of, version }) => ({ name: of, version })),
    is_installed: needed.every(({ installed }) => installed !== undefined),
    bytes: needed.reduce(
      (sum, { holds, installed }) => sum + (holds === 'node' ? 0 : (installed?.bytes ?? 0)),
      0,
    ),
  };
}

interface Named {
  name: string;
}

export async function installAgent(session: Session, { name }: Named): Promise<undefined> {
  const { out } = session;
  const [preset, packages, { hasPackages }] = await Promise.all([
    presetOf(name),
    openPackages(),
    import('@agentclash/agent-presets'),
  ]);
  const interrupt = new Interrupt();
  try {
    const { signal } = interrupt;
    const startedAt = performance.now();
    const made = await installMissing(preset, { packages, session, signal });
    const size = made.reduce((sum, layer) => sum + layer.bytes, 0);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const layers = made.map(({ name: of, bytes: of_bytes, root }) => ({ name: of, bytes: of_bytes, root }));
    out.result({ name: preset.name, directory: packages.directory, layers }, () =>
      made.length === 0
        ? withoutNew(preset, { isPackaged: hasPackages(preset), directory: packages.directory })
        : `${preset.name}: ${bytes(size)} in ${packages.directory} after ${seconds} s`,
    );
  } catch (error) {
    if (interrupt.happened)
      throw new CommandError('try_again', 'The installation was interrupted', { cause: error });
    throw error;
  } finally {
    interrupt.release();
  }
}

function withoutNew(
  { name }: Preset,
  { isPackaged, directory }: { isPackaged: boolean; directory: string },
): string {
  return isPackaged
    ? `${name} is installed already in ${directory}`
    : `${name} has no packages: there is nothing to install`;
}

/** The layer of the Node.js that several presets share. */
const NODE = 'node';

export async function removeAgent(session: Session, { name: given }: Named): Promise<undefined> {
  const { out } = session;
  const name = isPresetFile(given) ? (await presetOf(given)).name : given;
  const packages = await openPackages();
  const layers = await packages.layers.list();
  const others = [...new Set(layers.map((layer) => layer.name))].filter(
    (each) => ![name, NODE].includes(each),
  );
  if (name === NODE || !layers.some((layer) => layer.name === name)) {
    const rest = others.length === 0 ? '' : '. These are installed:';
    throw new CommandError(
      'not_found',
      `No packages of "${name}" are installed in ${packages.directory}${rest}`,
      { choices: others, hint: 'agentclash agents list shows every preset, and whether it is installed.' },
    );
  }
  const names = (await needNode(others)) ? [name] : [name, NODE];
  await packages.layers.remove(...names).catch(refuseUsed);
  const removed = layers
    .filter((layer) => names.includes(layer.name))
    .map((layer) => ({ name: layer.name, digest: layer.digest, bytes: layer.bytes }));
  const size = removed.reduce((sum, layer) => sum + layer.bytes, 0);
  out.result({ name, directory: packages.directory, removed }, () => {
    const what = plural(removed.length, 'layer');
    return `${name}: removed ${what}, ${bytes(size)} (${removed.map((layer) => layer.name).join(', ')})`;
  });
}

async function refuseUsed(error: unknown): Promise<never> {
  const { LayerInUseError } = await import('@agentclash/agent-presets/layers');
  if (!(error instanceof LayerInUseError)) throw error;
  throw new CommandError('try_again', `Nothing was removed: ${error.message}`, {
    hint: 'Wait until the attempts have ended, or cancel their runs: agentclash run list --status running, agentclash run cancel <run>',
    cause: error,
  });
}

/** True when an installed preset needs the shared Node.js. A preset that is not the product's may need it. */
async function needNode(names: readonly string[]): Promise<boolean> {
  const { builtinPresets } = await import('@agentclash/agent-presets');
  const presets = builtinPresets();
  return names.some((name) => presets.get(name)?.node !== false);
}
