import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentclash, type StackFolder } from '../product.js';

export const STARTERS = ['native', 'responses', 'prompt_eval', 'multi_turn'];

/** The packs of the skill that `challenge-pack init` writes. */
export const SKILL_PACKS = ['capitals', 'sorted-numbers', 'totals'];

export function starterFile(folder: StackFolder, name: string): string {
  return path.join(folder.path, `${name}.yaml`);
}

/** Writes the packs with which authors begin, each to its `starterFile`. */
export async function writeStarterPacks(folder: StackFolder): Promise<void> {
  for (const kind of STARTERS) {
    const words = ['challenge-pack', 'init', starterFile(folder, kind), '--template', kind];
    const { code, stderr } = await agentclash(words, { folder });
    if (code !== 0) throw new Error(stderr);
  }
  const skill = readFileSync(path.join(folder.path, '.agents/skills/write-challenge-packs/SKILL.md'), 'utf8');
  for (const [, text = ''] of skill.matchAll(/^~~~yaml\n(pack:[\s\S]*?)^~~~$/gm)) {
    const [, slug = ''] = /slug: ([\w-]+)/.exec(text) ?? [];
    writeFileSync(starterFile(folder, slug), text);
  }
}
