import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  type LiveEvent,
  type RecordedEvent,
  type Run,
  type RunAgent,
  routes,
} from '@agentclash/api';
import { eventCount, idOf, type RaceScript, raceEvents } from './race-script.js';

type Told = RecordedEvent | LiveEvent;

const TURNS_PER_SECOND = 50;
const BATCH = 500;

/** Tells a race that nobody runs, to one reader, as fast as it is asked to and the reader takes it; all else is the product's. */
export class SimulatedRace {
  /** Recorded events of the whole race. */
  readonly total: number;
  /** Events told so far, recorded or not. */
  told = 0;
  private readonly events: Generator<Told, void, undefined>;
  private reader: ServerResponse | undefined;
  private isOver = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly answers: ReadonlyMap<string, unknown>,
    private readonly script: RaceScript,
  ) {
    this.events = raceEvents(script);
    this.total = eventCount(script);
    server.on('request', (asked, answer) => this.serve(asked, answer));
  }

  /** In the place of a run that there is, with as many lanes as wanted. */
  static async inPlaceOf(
    { client, url }: { client: Client; url: string },
    runId: string,
    { lanes, ...script }: Omit<RaceScript, 'runId' | 'laneIds'> & { lanes: number },
  ): Promise<SimulatedRace> {
    const run = await client.call(routes.runs.get, { params: { run_id: runId } });
    const { items } = await client.call(routes.runs.agents, { params: { run_id: runId } });
    const [agent] = items;
    if (agent === undefined) throw new Error('the run has no lane');
    const laneIds = Array.from({ length: lanes }, (_, index) => idOf('f', index));
    const path = `/v1/workspaces/${run.workspace_id}/runs/${runId}`;
    const answers = new Map<string, unknown>([
      [
        path,
        {
          ...run,
          status: 'running',
          finished_at: null,
          progress: untouched(lanes * script.cases),
        } satisfies Run,
      ],
      [
        `${path}/agents`,
        { items: laneIds.map((id, index) => laneOf(agent, { id, index, cases: script.cases })) },
      ],
    ]);
    const server = createServer();
    const race = new SimulatedRace(server, new URL(url), answers, { ...script, runId, laneIds });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return race;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Tells so many further events, evenly over time when a pace is given. */
  async tell(count: number, eventsPerSecond = Number.POSITIVE_INFINITY): Promise<void> {
    const size = Math.max(1, Math.min(BATCH, eventsPerSecond / TURNS_PER_SECOND));
    const startedAt = performance.now();
    for (let told = 0; told < count && !this.isOver; ) {
      const batch = this.take(Math.min(size, count - told));
      told += size;
      await this.send(batch);
      const dueAt = startedAt + (told / eventsPerSecond) * 1_000;
      await delay(Math.max(0, dueAt - performance.now()));
    }
  }

  /** Tells all that is left, as fast as it is taken. */
  async finish(): Promise<void> {
    await this.tell(Number.POSITIVE_INFINITY);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(count: number): Told[] {
    const batch: Told[] = [];
    while (batch.length < count) {
      const next = this.events.next();
      this.isOver = next.done === true;
      if (next.done === true) break;
      batch.push(next.value);
    }
    return batch;
  }

  /** Until the reader has taken it. */
  private async send(batch: readonly Told[]): Promise<void> {
    const { reader } = this;
    if (reader === undefined) throw new Error('nobody reads the race');
    this.told += batch.length;
    if (!reader.write(batch.map(eventText).join(''))) await once(reader, 'drain');
    if (this.isOver) reader.end();
  }

  private serve(asked: IncomingMessage, answer: ServerResponse): void {
    const path = asked.url?.split('?')[0] ?? '';
    const known = this.answers.get(path);
    if (known !== undefined) {
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(known));
    } else if (path.endsWith(`/runs/${this.script.runId}/events`)) {
      if (this.isOver) answer.writeHead(204).end();
      else this.reader = answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.flushHeaders();
    } else this.passOn(asked, answer);
  }

  private passOn(asked: IncomingMessage, answer: ServerResponse): void {
    const { hostname, port } = this.target;
    const { method, url, headers } = asked;
    const onward = request({ hostname, port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }
}

function eventText(event: Told): string {
  const id = 'position' in event ? `id: ${event.position}\n` : '';
  return `${id}event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function laneOf(
  agent: RunAgent,
  { id, index, cases }: { id: string; index: number; cases: number },
): RunAgent {
  return {
    ...agent,
    id,
    name: `racer-${index + 1}`,
    status: 'running',
    progress: untouched(cases),
    overall_so_far: null,
  };
}

function untouched(total: number): Run['progress'] {
  return { total, queued: total, running: 0, finished: 0, scored: 0, passed: 0, by_outcome: {} };
}
