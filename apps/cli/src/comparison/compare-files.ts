import type { GatePreview, RunComparison } from '@agentclash/api';
import { auditShortfall } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { asApiError } from '../lookup/as-api-error.js';
import { isResultsFile } from '../lookup/results-file.js';
import { type RunOfFile, runOfFile } from '../lookup/run-source.js';
import type { Session } from '../session/session.js';
import { oneLine } from '../terminal/printable.js';

type ComparedRuns = import('@agentclash/run-scoring').ComparedRuns;
type Choice = import('@agentclash/run-scoring').ComparisonChoice;
type GatePolicySpec = Parameters<typeof import('@agentclash/run-scoring').gatePolicyOf>[0];

/** Two files of results. */
export interface Files {
  baseline: string;
  candidate: string;
}

/** True for two files of results, false for two runs of a server. Fails for one of each. */
export function areResultsFiles({ baseline, candidate }: Files): boolean {
  const isFile = isResultsFile(candidate);
  if (isResultsFile(baseline) === isFile) return isFile;
  const [file, other] = isFile ? [candidate, baseline] : [baseline, candidate];
  throw new CommandError('usage', `${file} is a file of results, and ${other} a run on a server`, {
    hint: 'Both sides are files, or both are runs of one server.',
  });
}

/** As a server compares two of its runs. */
export async function compareFiles(session: Session, files: Files, choice: Choice): Promise<RunComparison> {
  return (await compared(session, files, choice)).content;
}

/** As a server decides on two of its runs; files have no audits of their pack. */
export async function gateOnFiles(
  session: Session,
  files: Files,
  { spec, ...choice }: Choice & { spec: GatePolicySpec },
): Promise<GatePreview> {
  const { decideGate, gatePolicyOf } = await import('@agentclash/run-scoring');
  const policy = gatePolicyOf(spec);
  const audit = policy.pack_audit;
  const shortfall = audit?.required ? auditShortfall(audit, undefined, Date.now()) : undefined;
  return decideGate(policy, await compared(session, files, choice), shortfall);
}

async function compared(session: Session, files: Files, choice: Choice): Promise<ComparedRuns> {
  const baseline = await runOfFile(files.baseline);
  const candidate = await runOfFile(files.candidate);
  warnOfUnfinished(session, files.baseline, baseline);
  warnOfUnfinished(session, files.candidate, candidate);
  const sides = { baseline, candidate };
  const { compareRuns } = await import('@agentclash/run-scoring');
  try {
    return await compareRuns(sides, choice, (id, side) => sides[side].scorecardOf(id));
  } catch (error) {
    throw asApiError(error);
  }
}

/** Names the next step for a run that has no ranking yet. */
export function warnOfUnfinished(
  { out }: Session,
  file: string,
  { run: { finished_at: at, progress } }: Pick<RunOfFile, 'run'>,
): void {
  if (at !== null) return;
  const so = `${progress.finished} of ${progress.total} attempts`;
  out.warn(oneLine(`The run of ${file} was interrupted after ${so}: agentclash run … --resume ${file}`));
}
