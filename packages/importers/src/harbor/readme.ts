import { runsAnywhere } from '../framework/unrunnable.js';
import type { ImportedTask } from './import-harbor.js';

interface ReadmeOptions {
  slug: string;
  /** Those of the pack. */
  included: readonly ImportedTask[];
}

/** The page beside an imported pack: what runs, what does not, and the next steps. */
export function harborReadme(tasks: readonly ImportedTask[], { slug, included }: ReadmeOptions): string {
  const runnable = tasks.filter(({ missing }) => missing.length === 0);
  const others = tasks.filter(({ missing }) => missing.length > 0);
  const built = included.filter(({ isBuilt }) => isBuilt);
  const plain = included.filter(runsAnywhere);
  const isSplit = plain.length > 0 && plain.length < included.length;
  const set = isSplit ? ' --input-set runnable' : '';
  const lines = [
    `# ${tasks.length} Harbor tasks`,
    '',
    `${runnable.length} of ${tasks.length} tasks can run here: ${runnable.map(({ key }) => key).join(', ') || 'none'}.`,
    ...(included.length < tasks.length ? ['The others are not in the pack.'] : []),
    ...(built.length > 0
      ? [`Executors that build images run ${built.map(({ key }) => key).join(', ')}, of the input set all.`]
      : []),
    '',
    ...(others.length > 0 ? ['| Task | It cannot run, because |', '|---|---|'] : []),
    ...others.map(({ key, missing }) => `| ${key} | ${missing.join('; ').replaceAll('|', '\\|')} |`),
    ...(others.length > 0 ? [''] : []),
    '## Next steps',
    '',
    '1. `agentclash challenge-pack publish pack.yaml`',
    '2. `agentclash apply -f deployments.yaml`',
    `3. \`agentclash run start --pack ${slug}${set} --deployment ${slug}-oracle ${slug}-noop --follow\`: the oracle scores 1`,
    '   in every task and the agent that does nothing 0, or the pack is wrong.',
    '4. The same with your own agents.',
    '',
  ];
  return lines.join('\n');
}
