import { addSweepCounts, MISSING_NAMED_MAX, type SweepCounts, type SweepStep } from '@agentclash/contracts';
import { BLOB_PREFIXES, type BlobStore } from './blob-store.js';

/** Stored bytes, and what refers to them. */
export interface SweptArea {
  blobs: Pick<BlobStore, 'list' | 'has'>;
  /** All sha256 beginning with two digits that something refers to. */
  referenced(prefix: string): Promise<ReadonlySet<string>>;
  /** Removes bytes stored before a moment, unless something refers to them by now; whether it did. */
  remove(sha256: string, before: Date): Promise<boolean>;
}

interface SweepOptions {
  /** Index of the first prefix. */
  from: number;
  dryRun: boolean;
  /** Only bytes stored before may be removed. */
  before: Date;
  /** The step ends with the first prefix after this time. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
}

/** Compares one part of an area after the other: no blob without a reference, no reference without a blob. */
export async function sweepStep(area: SweptArea, options: SweepOptions): Promise<SweepStep> {
  const { from, budgetMs, signal } = options;
  const until = performance.now() + budgetMs;
  let counts = noCounts();
  for (const [offset, prefix] of BLOB_PREFIXES.slice(from).entries()) {
    signal?.throwIfAborted();
    counts = sumOf(counts, await sweepPrefix(area, prefix, options));
    const next = from + offset + 1;
    if (performance.now() > until && next < BLOB_PREFIXES.length) return { ...counts, next };
  }
  return { ...counts, next: null };
}

/** A whole area, step by step. */
export async function sweepAll(step: (from: number) => Promise<SweepStep>): Promise<SweepCounts> {
  let counts = noCounts();
  for (let from: number | null = 0; from !== null; ) {
    const { next, ...swept }: SweepStep = await step(from);
    counts = sumOf(counts, swept);
    from = next;
  }
  return counts;
}

async function sweepPrefix(
  { blobs, referenced, remove }: SweptArea,
  prefix: string,
  { before, dryRun }: SweepOptions,
): Promise<SweepCounts> {
  const counts = noCounts();
  // Blobs first: what is stored and referred to after that is in neither list, or in that of references alone.
  const listed = await blobs.list(prefix);
  const references = await referenced(prefix);
  for (const { sha256, bytes, storedAt } of listed) {
    counts.scanned += 1;
    if (references.has(sha256)) counts.referenced += 1;
    else if (storedAt >= before) counts.young += 1;
    else if (dryRun || (await remove(sha256, before))) {
      counts.removed += 1;
      counts.removed_bytes += bytes;
    }
  }
  const stored = new Set(listed.map(({ sha256 }) => sha256));
  for (const sha256 of await missing([...references].filter((each) => !stored.has(each)))) {
    counts.missing += 1;
    if (counts.missing <= MISSING_NAMED_MAX) counts.missing_sha256.push(sha256);
  }
  return counts;

  /** The references that still exist and whose bytes are still missing. */
  async function missing(suspects: string[]): Promise<string[]> {
    if (suspects.length === 0) return [];
    const absent: string[] = [];
    for (const sha256 of suspects) if (!(await blobs.has(sha256))) absent.push(sha256);
    const now = await referenced(prefix);
    return absent.filter((sha256) => now.has(sha256));
  }
}

function noCounts(): SweepCounts {
  const none = { scanned: 0, referenced: 0, young: 0, removed: 0, removed_bytes: 0, missing: 0 };
  return { ...none, missing_sha256: [] };
}

function sumOf(a: SweepCounts, b: SweepCounts): SweepCounts {
  const { missing_sha256, ...sum } = addSweepCounts(a, b);
  return { ...sum, missing_sha256: missing_sha256.slice(0, MISSING_NAMED_MAX) };
}
