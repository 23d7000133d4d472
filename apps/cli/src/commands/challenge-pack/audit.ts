import { availableParallelism } from 'node:os';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import { Interrupt } from '../../follow/interrupt.js';
import { installedVersion } from '../../installed-version.js';
import { checkReportFiles, writeReports } from '../../reports/markdown.js';
import type { Session } from '../../session/session.js';
import { withSandboxes } from '../sandboxes/with-sandboxes.js';
import { showAuditProgress } from './audit-progress.js';
import { auditJunit, auditText, problemsJunit } from './audit-report.js';
import { readLocalPack } from './read-local-pack.js';

type AuditReport = import('@agentclash/pack-audit').AuditReport;
type AuditedPack = import('@agentclash/pack-audit').AuditedPack;
type Problem = import('@agentclash/challengepack').Problem;

interface Input {
  file: string;
  quick?: boolean;
  seed?: string;
  junit?: string;
  /** Of a published version, as are those below. */
  wait?: boolean;
  last?: boolean;
  cancel?: boolean;
}

/** More trials than cores: they wait for starts and copies, while tests take turns. */
const TRIALS_PER_CORE = 2;

/**
 * Audits a file here, or a published version on the server; a failed audit ends with 1, an incomplete one with 3, and one
 * that was interrupted with 75.
 */
export async function auditPackFile(session: Session, input: Input): Promise<ExitCode> {
  const { junit } = input;
  if (junit !== undefined) await checkReportFiles({ junit });
  const { publishedReference, auditOfVersion } = await import('./audit-published.js');
  const reference = publishedReference(input.file);
  if (reference !== undefined) {
    const ended = await auditOfVersion(session, reference, input);
    return typeof ended === 'number' ? ended : await concluded(session, ended, input);
  }
  for (const option of ['last', 'cancel'] as const) {
    if (input[option]) throw notPublished(input.file, `--${option}`);
  }
  if (input.wait === false) throw notPublished(input.file, '--no-wait');
  const audited = await auditOfFile(session, input);
  if ('problems' in audited) {
    const { file } = input;
    if (junit !== undefined) {
      await writeReports(session, { junit }, { junit: () => problemsJunit(file, audited.problems) });
    }
    return EXIT_CODES.usage;
  }
  return await concluded(session, audited, input);
}

function notPublished(file: string, option: string): CommandError {
  return new CommandError('usage', `${option} is for published versions, and ${file} is a file`, {
    hint: 'Name a version: agentclash challenge-pack audit SLUG@VERSION. An audit of a file runs here, and Ctrl-C ends it.',
  });
}

/** Prints the report, and writes it where that is requested. */
async function concluded(session: Session, report: AuditReport, { junit }: Input): Promise<ExitCode> {
  const { out } = session;
  // First: a file that cannot be written loses no audit.
  out.result(report, () => auditText(report, out));
  if (junit !== undefined) await writeReports(session, { junit }, { junit: () => auditJunit(report) });
  return exitOf(report);
}

/** The certificate of a file, or its problems, which are printed, where it is not valid. */
export async function auditOfFile(
  session: Session,
  input: Input,
): Promise<AuditReport | { problems: readonly Problem[] }> {
  const read = await readLocalPack(session, input.file);
  if (!('pack' in read)) return read;
  const [{ localPack }, { bytesBeside }] = await Promise.all([
    import('@agentclash/local-attempts'),
    import('./pack-folder.js'),
  ]);
  return await audited(session, await localPack(read, (asset) => bytesBeside(input.file, asset)), input);
}

export function exitOf({ result, interrupted }: AuditReport): ExitCode {
  return interrupted ? EXIT_CODES.try_again : EXITS[result];
}

const EXITS: Readonly<Record<AuditReport['result'], ExitCode>> = {
  passed: EXIT_CODES.ok,
  failed: EXIT_CODES.failed,
  incomplete: EXIT_CODES.insufficient_evidence,
};

/** The certificate of a pack, with progress. Ctrl-C ends it early, and leaves it incomplete. */
async function audited(
  session: Session,
  pack: AuditedPack,
  { quick = false, seed }: Input,
): Promise<AuditReport> {
  const { out } = session;
  const progress = showAuditProgress(out);
  const interrupt = new Interrupt(() => {
    progress.end();
    out.note('Interrupted: what was found follows. Press Ctrl-C again to end at once.');
  });
  try {
    return await withSandboxes('pack-audit', async (sandboxes) => {
      const { auditPack, localTrialPorts } = await import('@agentclash/pack-audit');
      return await auditPack(pack, {
        ports: localTrialPorts(sandboxes, { signal: interrupt.signal }),
        concurrency: TRIALS_PER_CORE * availableParallelism(),
        isQuick: quick,
        isInterruptible: () => true,
        version: installedVersion(),
        onProgress: (at) => {
          if (!interrupt.happened) progress.at(at);
        },
        ...(seed !== undefined && { seed }),
      });
    });
  } finally {
    progress.end();
    interrupt.release();
  }
}
