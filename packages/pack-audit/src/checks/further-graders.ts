import { isHarnessAlone } from '@agentclash/challengepack';
import type { Cheat, CheatFamily } from '../cheats/cheat.js';
import { ENVIRONMENT } from '../cheats/environment.js';
import { EXITS } from '../cheats/exits.js';
import { GRADERS } from '../cheats/graders.js';
import { OUTPUTS } from '../cheats/outputs.js';
import { PATCHES } from '../cheats/patches.js';
import { PRINTED, REPORTS } from '../cheats/reports.js';
import { RUNNERS } from '../cheats/runners.js';
import { TESTS } from '../cheats/tests.js';
import { UNFINISHED } from '../cheats/unfinished.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import { drawCases } from '../pack/sample.js';
import { graderFacts } from '../references/grader-facts.js';
import type { AuditContext } from './context.js';

/** Their effect depends on how a test command starts and ends, not on what its tests compare. */
const OF_COMMANDS = keysOf(RUNNERS, ENVIRONMENT, OUTPUTS, GRADERS, UNFINISHED);
/** The same where the grading harness runs the tests: it keeps the code from their process, whatever they compare. */
const OF_PROCESSES = keysOf(EXITS, PRINTED, REPORTS, PATCHES, TESTS);

/** A cheat on a case. */
export interface Try {
  cheat: Cheat;
  each: AuditedCase;
}

/** The case on which every cheat was tried. */
export interface FirstCase {
  each: AuditedCase;
  /** Those with which its graders did not hang. */
  cheats: readonly Cheat[];
  /** Those that apply to it. */
  applied: ReadonlySet<Cheat>;
}

/**
 * The trials on further cases: of each cheat whose effect can be another than on the cases before, on as many cases as the limit of
 * trials lets be, which are drawn as others are.
 */
export function furtherTries(
  { pack, sizes, seed }: Pick<AuditContext, 'pack' | 'sizes' | 'seed'>,
  first: FirstCase,
  others: readonly AuditedCase[],
): Try[] {
  const all = triesOn(others, { pack, first });
  const trials = all.filter(({ isTrial }) => isTrial).length;
  const left = Math.max(0, sizes.cheatTrials - first.applied.size);
  if (trials <= left) return all;
  const most = Math.floor((left * others.length) / trials);
  return triesOn(drawCases(others, { most, seed }), { pack, first });
}

/** `isTrial` is false for a cheat that most likely does not apply: it did not apply to the first case, which is tested alike. */
function triesOn(
  cases: readonly AuditedCase[],
  { pack, first }: { pack: AuditedPack; first: FirstCase },
): (Try & { isTrial: boolean })[] {
  const firstCommands = commandsOf(pack, first.each);
  const seen = new Set([firstCommands.join('\n')]);
  return cases.flatMap((each) => {
    const commands = commandsOf(pack, each);
    const text = commands.join('\n');
    const isSeen = commands.length > 0 && seen.has(text);
    seen.add(text);
    const isHarness = commands.every(isHarnessAlone);
    const isSame = ({ key }: Cheat) =>
      isSeen && (OF_COMMANDS.has(key) || (isHarness && OF_PROCESSES.has(key)));
    const isAlike = text === firstCommands.join('\n');
    return first.cheats
      .filter((cheat) => !isSame(cheat))
      .map((cheat) => ({ cheat, each, isTrial: !isAlike || first.applied.has(cheat) }));
  });
}

function commandsOf(pack: AuditedPack, each: AuditedCase): readonly string[] {
  return graderFacts(pack, each).testCommands;
}

function keysOf(...families: readonly CheatFamily[]): ReadonlySet<string> {
  return new Set(families.flatMap(({ cheats }) => cheats.map(({ key }) => key)));
}
