import type { Span } from './scanner.js';

/** Matches that overlap each other, directly or through others. */
interface Cluster {
  start: number;
  end: number;
  spans: Span[];
}

/** Collects matches and selects among overlapping ones, as soon as no later match can change the selection. */
export class Selection {
  private readonly clusters: Cluster[] = [];

  /** Spans come in the order of their ends. */
  add(span: Span): void {
    const latest = this.clusters.at(-1);
    const before = latest?.spans.at(-1);
    if (latest && before && continues(before, span)) {
      latest.end = before.end = span.end;
      return;
    }
    let cluster: Cluster = { start: span.start, end: span.end, spans: [span] };
    for (let last = this.clusters.at(-1); last && last.end > cluster.start; last = this.clusters.at(-1)) {
      this.clusters.pop();
      for (const inner of cluster.spans) last.spans.push(inner);
      cluster = { start: Math.min(last.start, cluster.start), end: cluster.end, spans: last.spans };
    }
    this.clusters.push(cluster);
  }

  /**
   * Takes what is decided, given that every later match starts at `settled` or after it. All text before `until` is
   * then final.
   */
  take(settled: number): { chosen: Span[]; until: number } {
    let until = settled;
    let open = this.clusters.length;
    for (; open > 0; open--) {
      const cluster = this.clusters[open - 1];
      if (cluster === undefined || cluster.end <= until) break;
      until = Math.min(until, cluster.start);
    }
    const decided = this.clusters.splice(0, open);
    return { chosen: decided.flatMap(choose), until };
  }
}

/** Cut matches that run into each other count as one. */
function continues(before: Span, span: Span): boolean {
  return before.isCut && span.isCut && before.label === span.label && before.end > span.start;
}

/**
 * The chosen spans, in text order: cut ones first, then lower labels, then the earlier, then the longer, each only
 * where it overlaps none chosen before. Negative labels only shield what lies wholly inside them.
 */
function choose(cluster: Cluster): Span[] {
  if (cluster.spans.length === 1) return cluster.spans.filter(({ label }) => label >= 0);
  const candidates = unshielded(cluster);
  candidates.sort(
    (a, b) => Number(b.isCut) - Number(a.isCut) || a.label - b.label || a.start - b.start || b.end - a.end,
  );
  const chosen: Span[] = [];
  const taken = new Uint8Array(cluster.end - cluster.start);
  for (const span of candidates) {
    const area = taken.subarray(span.start - cluster.start, span.end - cluster.start);
    if (area.includes(1)) continue;
    area.fill(1);
    chosen.push(span);
  }
  return chosen.sort((a, b) => a.start - b.start);
}

function unshielded({ start, end, spans }: Cluster): Span[] {
  const shields = spans.filter(({ label }) => label < 0);
  if (shields.length === 0) return spans;
  const shieldAt = new Uint32Array(end - start);
  for (const [index, shield] of shields.entries()) {
    shieldAt.fill(index + 1, shield.start - start, shield.end - start);
  }
  return spans.filter((span) => {
    const shield = shieldAt[span.start - start];
    return span.label >= 0 && (shield === 0 || shield !== shieldAt[span.end - 1 - start]);
  });
}
