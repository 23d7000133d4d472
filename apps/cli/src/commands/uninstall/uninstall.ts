import path from 'node:path';
import { EXIT_CODES, type ExitCode, formatBytes } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { environment } from '../../config.js';
import { isConfirmed } from '../../session/confirmed.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { dataFolder } from '../stack/data-folder.js';
import { knownStacks } from '../stack/known-stacks.js';
import { type FoundItem, findItems } from './inspect.js';
import { type MachineFolders, madeItems } from './made-here.js';
import { removeItem } from './remove.js';
import { staysBehind } from './stays-behind.js';

interface Input {
  dryRun?: boolean;
  yes?: boolean;
  stop?: boolean;
  data?: string[];
}

interface RunningStack {
  data: string;
  pid: number;
}

/** Names everything that this product has made on the machine, with its size, and removes it when that is confirmed. */
export async function uninstall(session: Session, input: Input): Promise<ExitCode | undefined> {
  const { dryRun = false, yes, stop = false, data = [] } = input;
  const { out } = session;
  const folders = await machineFolders(data);
  const running = await runningStacks([...folders.stacks, ...folders.otherStacks]);
  const found = await findItems(madeItems(folders));
  const removable = found.filter(({ keeps }) => keeps === undefined);
  const bytes = bytesOf(removable);
  const stays = await staysBehind(folders.otherStacks);
  const document = { dry_run: dryRun, running, items: found.map(described), bytes, stays };
  if (dryRun || found.length === 0) {
    out.result(document, () =>
      found.length === 0 && stays.length > 0 ? 'Nothing to remove.' : listing(found, running),
    );
    for (const line of stays) out.note(out.paint.dim(`stays: ${line}`));
    if (removable.length > 0) out.note(out.paint.dim('Remove it: agentclash uninstall --yes'));
    return undefined;
  }
  if (running.length > 0 && !stop) {
    const lines = running.map((stack) => `process ${stack.pid} on ${stack.data}`);
    throw new CommandError('usage', `${plural(running.length, 'stack')} of these folders still runs`, {
      choices: lines,
      hint: '--stop stops it in order first; agentclash down --data FOLDER does, too.',
    });
  }
  for (const line of listing(found, running).split('\n')) out.note(line);
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `${formatBytes(bytes)} would be removed for good: databases, evidence, keys and settings`,
    question: `Remove ${formatBytes(bytes)} for good?`,
    hint: '--yes confirms it; agentclash uninstall --dry-run lists it.',
  });
  if (!confirmed) return EXIT_CODES.failed;
  await stopAll(running, (text) => out.note(text));
  const done = [];
  // Again: sandboxes may have ended with their stack, or started while the question was open.
  for (const item of await findItems(madeItems(folders))) done.push(await removeItem(item));
  const freed = bytesOf(done.filter(({ removed }) => removed));
  const staysNow = await staysBehind(folders.otherStacks);
  const left = done.filter(({ removed, others }) => !removed || others.length > 0);
  out.result(
    {
      ...document,
      items: done.map((item) => ({ ...described(item), removed: item.removed })),
      bytes: freed,
      stays: staysNow,
    },
    () => [`Removed ${formatBytes(freed)}.`, ...left.map((item) => `left    ${lineOf(item)}`)].join('\n'),
  );
  for (const line of staysNow) out.note(out.paint.dim(`stays: ${line}`));
  out.note(out.paint.dim('The program itself: npm uninstall -g agentclash, or remove its clone.'));
  return done.every(({ removed }) => removed) ? undefined : EXIT_CODES.failed;
}

function bytesOf(items: readonly FoundItem[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function machineFolders(named: readonly string[]): Promise<MachineFolders> {
  const [{ defaultDataFolder, cacheFolder, sharedCacheFolder }, { sandboxFolders }] = await Promise.all([
    import('@agentclash/local-stack'),
    import('@agentclash/sandbox'),
  ]);
  const last = await dataFolder(undefined);
  const sandboxes = sandboxFolders();
  const stacks = [...named, last.folder, defaultDataFolder, `${defaultDataFolder}-demo`].map((folder) =>
    path.resolve(folder),
  );
  return {
    config: environment.configFolder,
    stacks,
    otherStacks: (await knownStacks()).filter((folder) => !stacks.includes(folder)),
    caches: sandboxes.isRoot ? [cacheFolder, sharedCacheFolder] : [cacheFolder],
    sandboxStates: [sandboxes.stateDir],
    controlGroups: sandboxes.controlGroups,
  };
}

async function runningStacks(folders: readonly string[]): Promise<RunningStack[]> {
  const { findRunningStack } = await import('@agentclash/local-stack');
  const states = await Promise.all(
    [...new Set(folders)].map(async (data) => ({
      data,
      state: await findRunningStack(data).catch(() => undefined),
    })),
  );
  return states.flatMap(({ data, state }) => (state === undefined ? [] : [{ data, pid: state.pid }]));
}

async function stopAll(running: readonly RunningStack[], note: (text: string) => void): Promise<void> {
  const { stopLocalStack } = await import('@agentclash/local-stack');
  for (const { data, pid } of running) {
    note(`Stopping process ${pid}`);
    await stopLocalStack(data);
  }
}

function described({ kind, what, path, bytes, others, keeps }: FoundItem) {
  return { kind, what, path, bytes, others, keeps: keeps ?? null };
}

function listing(found: readonly FoundItem[], running: readonly RunningStack[]): string {
  if (found.length === 0) return 'Nothing of AgentClash is on this machine.';
  return [
    ...running.map(({ data, pid }) => `running  process ${pid}, the stack on ${oneLine(data)}`),
    ...found.map((item) => lineOf(item)),
  ].join('\n');
}

function lineOf({ kind, what, path, bytes, others, keeps }: FoundItem): string {
  const stays = keeps === undefined ? '' : `; stays: ${keeps}`;
  const beside = others.length === 0 ? '' : `; left alone: ${others.slice(0, 5).join(', ')}`;
  return oneLine(
    `${kind.padEnd(13)}  ${formatBytes(bytes).padStart(9)}  ${path}  (${what}${beside}${stays})`,
  );
}
