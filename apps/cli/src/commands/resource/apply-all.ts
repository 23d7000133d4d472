import type { ExitCode } from '@agentclash/domain';
import type { Reference } from '../../deployment-file/body-of.js';
import { type DeploymentFile, type Entry, inOrder } from '../../deployment-file/read.js';
import { refusedEntry } from '../../deployment-file/refused-entry.js';
import { afterTheirDelegates } from '../../deployment-file/tools.js';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';
import { type Problem, problemLines } from '../../yaml/problem-line.js';
import { sourceName } from '../../yaml/read-source.js';
import { type AppliedResource, appliedLine } from './applied.js';
import type { Applying } from './apply.js';

export interface Task {
  /** Of the file, or `-`. */
  name: string;
  file: DeploymentFile;
  applying: Applying;
}

/**
 * Says of each entry what became of it. What the server refuses keeps only the entries that name it from being made, so
 * that all faults are known at once; any other failure leaves the rest undone and is thrown.
 */
export async function applyAll(
  session: Session,
  { name, file, applying }: Task,
): Promise<ExitCode | undefined> {
  const report = new Report(session, name);
  const entries = afterTheirDelegates(file.entries);
  for (const [index, entry] of entries.entries()) {
    if (entry.references.some((reference) => report.isUnmade(reference))) {
      report.leave(entry, 'not_done');
      continue;
    }
    try {
      report.add(await applying.apply(entry));
    } catch (error) {
      report.leave(entry, 'failed');
      const refusal = refusedEntry(error, file.source, entry);
      if (refusal !== undefined) {
        report.refused(refusal);
        continue;
      }
      for (const rest of entries.slice(index + 1)) report.leave(rest, 'not_done');
      report.end();
      throw error;
    }
  }
  return report.end();
}

interface Refusal {
  problems: readonly Problem[];
  exit: ExitCode;
}

class Report {
  private readonly items: AppliedResource[] = [];
  private readonly refusals: Refusal[] = [];

  constructor(
    private readonly session: Session,
    private readonly name: string,
  ) {}

  add(result: AppliedResource): void {
    this.items.push(result);
    this.session.out.line(appliedLine(this.session, result));
    for (const { code, message } of result.warnings ?? [])
      this.session.out.warn(`${code}: ${oneLine(message)}`);
  }

  leave({ kind, name }: Entry, applied: 'failed' | 'not_done'): void {
    this.add({ resource: kind, name, applied });
  }

  refused(refusal: Refusal): void {
    this.refusals.push(refusal);
  }

  isUnmade({ to, name }: Reference): boolean {
    return this.items.some(
      (result) =>
        result.resource === to && result.name === name && ['failed', 'not_done'].includes(result.applied),
    );
  }

  /** The exit code that the refusals ask for. */
  end(): ExitCode | undefined {
    const { out } = this.session;
    const errors = inOrder(this.refusals.flatMap(({ problems }) => problems));
    out.document({ items: this.items, ...(errors.length > 0 && { errors }) });
    if (errors.length > 0)
      out.line(problemLines({ name: sourceName(this.name), text: '' }, errors, out.paint));
    return this.refusals[0]?.exit;
  }
}
