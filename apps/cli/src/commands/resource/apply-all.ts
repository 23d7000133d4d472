import path from 'node:path';
import { type Client, routes } from '@agentclash/api';
import type { ExitCode } from '@agentclash/domain';
import { type Reference, skillNameOf, withValues } from '../../deployment-file/body-of.js';
import type { StoredResources } from '../../deployment-file/plan.js';
import { type DeploymentFile, type Entry, inOrder } from '../../deployment-file/read.js';
import { afterTheirDelegates, refusedEntry } from '../../deployment-file/tools.js';
import type { Stored, Written } from '../../resources/kind.js';
import { isLocal, type KindName, type LocalKind } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { Session } from '../../session/session.js';
import { oneLine } from '../../terminal/printable.js';
import { type Problem, problemLines } from '../../yaml/problem-line.js';
import { sourceName } from '../../yaml/read-source.js';
import type { LocalContents } from './local-files.js';

export interface Task {
  /** Of the file, or `-`. */
  name: string;
  file: DeploymentFile;
  applying: ResourceApplier;
}

/**
 * Reports the result of each entry. What the server refuses keeps only the entries that name it from being made, so
 * that all problems are reported at once; any other failure leaves the rest undone and is thrown.
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
      const rejected = refusedEntry(error, file.source, entry);
      if (rejected !== undefined) {
        report.reject(rejected);
        continue;
      }
      for (const rest of entries.slice(index + 1)) report.leave(rest, 'not_done');
      report.end();
      throw error;
    }
  }
  return report.end();
}

interface RejectedEntry {
  problems: readonly Problem[];
  exit: ExitCode;
}

class Report {
  private readonly items: AppliedResource[] = [];
  private readonly rejected: RejectedEntry[] = [];

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

  reject(rejected: RejectedEntry): void {
    this.rejected.push(rejected);
  }

  isUnmade({ to, name }: Reference): boolean {
    return this.items.some(
      (result) =>
        result.resource === to && result.name === name && ['failed', 'not_done'].includes(result.applied),
    );
  }

  /** The exit code of the rejected entries. */
  end(): ExitCode | undefined {
    const { out } = this.session;
    const errors = inOrder(this.rejected.flatMap(({ problems }) => problems));
    out.document({ items: this.items, ...(errors.length > 0 && { errors }) });
    if (errors.length > 0)
      out.line(problemLines({ name: sourceName(this.name), text: '' }, errors, out.paint));
    return this.rejected[0]?.exit;
  }
}

/** The result of one entry of the file. */
export interface Applied extends Written {
  resource: KindName;
}

/** Where resources are made. */
export interface ResourceTarget {
  apply(kind: KindName, body: unknown, existing: Stored | undefined): Promise<Written>;
  /** Stores a file; its artifact id. */
  upload(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string>;
}

/** The workspace of a server. */
export function onServer(client: Client): ResourceTarget {
  return {
    apply: (kind, body, existing) => KINDS[kind].apply(client, body, existing),
    upload: async (bytes, name) => {
      const body = { file: new Blob([bytes]), name };
      return (await client.call(routes.artifacts.upload, { body })).id;
    },
  };
}

/** Makes entries in the order given; what was done before a failure stays done, and doing it again changes nothing. */
export class ResourceApplier {
  private readonly made = new Map<string, string>();
  private readonly uploads = new Map<string, Promise<string>>();

  constructor(
    private readonly target: ResourceTarget,
    private readonly existing: StoredResources,
    private readonly contents: LocalContents,
  ) {}

  async apply({ kind, name, body, references }: Entry): Promise<Applied> {
    const values: Parameters<typeof withValues>[1][number][] = [];
    for (const { to, name: named, bodyPath } of references) {
      if (bodyPath === undefined) continue;
      const value = isLocal(to) ? await this.contentOf(to, named) : this.idOf(to, named);
      values.push({ bodyPath, value });
    }
    const known = this.existing.get(kind, name);
    const written = await this.target.apply(kind, withValues(body, values), known);
    this.made.set(`${kind} ${name}`, written.id);
    return { resource: kind, ...written };
  }

  private idOf(kind: KindName, name: string): string {
    const id = this.made.get(`${kind} ${name}`) ?? this.existing.get(kind, name)?.id;
    if (id === undefined) throw new TypeError(`${kind} ${name} was neither made nor found`);
    return id;
  }

  private async contentOf(to: LocalKind, name: string): Promise<unknown> {
    if (to === 'file') return await this.upload(name);
    if (to !== 'skill') return this.contents.valueOf(to, name);
    const files: { path: string; artifact_id: string }[] = [];
    for (const { path: inside, from } of this.contents.skillFiles(name)) {
      files.push({ path: inside, artifact_id: await this.upload(from) });
    }
    return { name: skillNameOf(name), files };
  }

  /** Each file goes up once, however many entries bring it along. */
  private upload(from: string): Promise<string> {
    const uploading = this.uploads.get(from) ?? this.send(from);
    this.uploads.set(from, uploading);
    return uploading;
  }

  private send(from: string): Promise<string> {
    return this.target.upload(this.contents.bytesOf(from), path.basename(from));
  }
}

/** The result of a resource, written or not. */
export type AppliedResource =
  | Applied
  | {
      resource: KindName;
      name: string;
      applied: 'failed' | 'not_done';
      id?: undefined;
      warnings?: undefined;
    };

const WORD_WIDTH = 'unchanged'.length;

export function appliedLine(
  { out: { paint } }: Session,
  { resource, name, applied, id = '' }: AppliedResource,
): string {
  const colors = {
    ...{ created: paint.green, revised: paint.green, unchanged: paint.dim },
    ...{ failed: paint.red, not_done: paint.yellow },
  };
  const word = colors[applied](applied.replace('_', ' ').padEnd(WORD_WIDTH));
  return `${word} ${KINDS[resource].noun} ${paint.bold(oneLine(name))}  ${paint.dim(id)}`.trimEnd();
}
