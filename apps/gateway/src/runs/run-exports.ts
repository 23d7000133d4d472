import type { ExportFormat, HistoryEvent, RunAgent } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { attempts, ContractError, packs, runs } from '@agentclash/contracts';
import {
  type ExportContent,
  type ExportedAttempt,
  type ExportSource,
  exportRun,
  needsLane,
} from '@agentclash/exports';
import { Injectable } from '@nestjs/common';
import type { OpenStream } from './open-streams.js';
import { scoredAttempts } from './scored-attempts.js';

/** Attempts, and events, that are read at a time. */
const PAGE_SIZE = 200;

export interface ExportQuery {
  workspace_id: string;
  run_id: string;
  format: ExportFormat;
  /** Name or id of a run agent. */
  lane: string | undefined;
}

/** Runs in the formats of other tools, read a page at a time from the services that have them. */
@Injectable()
export class RunExports {
  constructor(private readonly bus: Bus) {}

  /** Fails with `not_found`, or `invalid_input` for a lane. Nothing but the run is read before the content is. */
  async open({ format, lane: name, ...key }: ExportQuery): Promise<ExportContent> {
    const source = await this.sourceOf(key);
    const lane = name === undefined ? undefined : laneOf(source.lanes, name);
    if (needsLane(format, source, lane)) {
      throw invalidLane('A log of Inspect is of one lane, and the run has several', source.lanes);
    }
    return exportRun(source, format, lane);
  }

  private async sourceOf(key: { workspace_id: string; run_id: string }): Promise<ExportSource> {
    const { workspace_id } = key;
    const run = await this.bus.call(runs.get, key);
    const version = { workspace_id, version_id: run.challenge_pack_version_id };
    const [{ id, digest, audit }, { manifest }, { items: lanes }] = await Promise.all([
      this.bus.call(packs.getVersion, version),
      this.bus.call(packs.manifest, version),
      this.bus.call(runs.agents, key),
    ]);
    return {
      ...{ run, version: { id, digest, audit }, evaluationSpec: manifest.evaluation_spec, lanes },
      attempts: (lane) => this.attempts({ ...key, ...(lane && { run_agent_id: lane.id }) }),
      events: (attempt_id) => this.events({ workspace_id, attempt_id }),
    };
  }

  private async *attempts(query: {
    workspace_id: string;
    run_id: string;
    run_agent_id?: string;
  }): AsyncGenerator<ExportedAttempt[], void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await scoredAttempts(this.bus, { ...query, limit: PAGE_SIZE, ...(cursor && { cursor }) });
      yield page.items;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** All of one delivery, also when another begins meanwhile. */
  private async *events(query: {
    workspace_id: string;
    attempt_id: string;
  }): AsyncGenerator<HistoryEvent[], void, undefined> {
    let delivery: number | undefined;
    let after = 0;
    for (;;) {
      const page = await this.bus.call(attempts.events, {
        ...query,
        ...{ after, limit: PAGE_SIZE },
        ...(delivery !== undefined && { delivery }),
      });
      yield page.items;
      const last = page.items.at(-1);
      if (!page.has_more || last === undefined) return;
      delivery = page.delivery;
      after = last.sequence_number;
    }
  }
}

function laneOf(lanes: readonly RunAgent[], name: string): RunAgent {
  const found = lanes.find((lane) => lane.name === name || lane.id === name);
  if (found === undefined) throw invalidLane('The run has no such lane', lanes);
  return found;
}

const NAMED_MAX = 20;

function invalidLane(problem: string, lanes: readonly RunAgent[]): ContractError {
  const names = lanes.slice(0, NAMED_MAX).map(({ name }) => JSON.stringify(name));
  const message = `must be one of ${names.join(', ')}${lanes.length > NAMED_MAX ? ' …' : ''}`;
  return new ContractError('invalid_input', `${problem}.`, {
    errors: [{ code: 'unknown_value', field: 'lane', message }],
  });
}

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'jsonl',
  csv: 'csv',
  parquet: 'parquet',
  atif: 'atif.jsonl',
  inspect: 'eval',
  otel: 'otel.jsonl',
};

export function exportFileName(runId: string, format: ExportFormat): string {
  return `${runId}.${EXTENSIONS[format]}`;
}

/** The content while its reader may have it: breaking off makes it an error, so that no part passes for the whole. */
export async function* streamed(content: ExportContent, { signal, close }: OpenStream): ExportContent {
  try {
    for await (const part of content) {
      signal.throwIfAborted();
      yield part;
    }
  } finally {
    close();
  }
}
