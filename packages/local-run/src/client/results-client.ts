import { ApiError, type Client, type Route, routes } from '@agentclash/api';
import type { Attempt, AttemptScorecard, Progress, RecordedEvent, Run } from '@agentclash/contracts';
import { OUTCOMES } from '@agentclash/domain';
import { type IndexedAttempt, ResultsFile } from '../results/results-file.js';
import { stepsPage } from './attempt-steps.js';
import { searchResults } from './search-results.js';

/** The parts of a call that reading uses. */
interface Parts {
  params?: { run_id?: string; attempt_id?: string; run_agent_id?: string; sequence_number?: string };
  query?: Partial<Record<string, unknown>>;
}

type Read = (parts: Parts) => Promise<unknown>;

const PAGE_SIZE = 50;

/** Opens a file of results. Fails as the file system does, and with `ResultsFileError`. */
export async function openResultsClient(file: string): Promise<Client & { close: () => Promise<void> }> {
  const results = await ResultsFile.open(file);
  return { ...resultsClient(results), close: () => results.close() };
}

/** The run of a file, read by the routes of a server. Other routes fail with `not_found`. */
function resultsClient(results: ResultsFile): Client {
  const reads = new ResultsReads(results).byRoute;
  return {
    async call(route: Route, ...[parts]: [unknown?]) {
      const read = reads.get(route);
      if (read !== undefined) return (await read((parts ?? {}) as Parts)) as never;
      throw notFound(
        `A file of results has nothing for ${route.method} ${route.path}: it is for runs on a server.`,
      );
    },
    events: (_runId, { after = 0 } = {}) => eventsOf(results, after),
  };
}

async function* eventsOf(
  results: ResultsFile,
  after: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let position = 0;
  for await (const event of results.allEvents()) {
    position += 1;
    if (position > after) yield { ...event, position };
  }
}

class ResultsReads {
  readonly byRoute: ReadonlyMap<Route, Read> = new Map<Route, Read>([
    [routes.runs.list, async () => ({ items: [this.run], next_cursor: null })],
    [routes.runs.get, async () => this.run],
    [routes.runs.search, async (parts) => await searchResults(this.results, parts.query)],
    [routes.runs.findIds, async ({ query }) => this.idsWith(String(query?.part ?? ''))],
    [routes.runs.agents, async () => ({ items: this.results.end?.agents ?? this.results.start.agents })],
    [routes.runs.attempts, async (parts) => this.attempts(parts)],
    [routes.runs.scorecards, async (parts) => this.scorecards(parts)],
    [routes.runs.ranking, async () => this.ranking()],
    [routes.runs.failures, async () => ({ items: this.results.end?.failures ?? [], next_cursor: null })],
    [routes.runs.events, async ({ query }) => this.ndjson(Number(query?.after ?? 0))],
    [routes.attempts.get, async ({ params }) => this.attempt(params?.attempt_id)],
    [routes.attempts.events, async (parts) => this.events(parts)],
    [routes.attempts.replay, async (parts) => this.replay(parts)],
    [routes.attempts.payload, async (parts) => this.payload(parts)],
    [routes.attempts.scorecard, async ({ params }) => (await this.record(params?.attempt_id)).scorecard],
    [routes.runAgents.scorecard, async ({ params }) => this.agentScorecard(params?.run_agent_id)],
    [routes.versions.get, async () => this.results.start.version],
    [routes.versions.manifest, async () => this.results.start.manifest],
  ]);

  constructor(private readonly results: ResultsFile) {}

  /** An interrupted run is one that can be continued. */
  private get run(): Run {
    const { start, end } = this.results;
    return end?.run ?? { ...start.run, status: 'paused', progress: this.progress(start.run.progress.total) };
  }

  private progress(total: number): Progress {
    const { attempts } = this.results;
    const reached = OUTCOMES.map((outcome) => [
      outcome,
      attempts.filter((each) => each.outcome === outcome).length,
    ]);
    const finished = attempts.length;
    return {
      ...{ total, queued: total - finished, running: 0, finished, scored: finished, passed: 0 },
      by_outcome: Object.fromEntries(reached.filter(([, count]) => count !== 0)),
    };
  }

  private idsWith(part: string) {
    const digits = part.replaceAll('-', '').toLowerCase();
    const matches = (id: string) => {
      const own = id.replaceAll('-', '');
      return own.startsWith(digits) || own.endsWith(digits);
    };
    const attempts = this.results.attempts.flatMap(({ id }) => (matches(id) ? [id] : []));
    return { runs: matches(this.run.id) ? [this.run.id] : [], attempts: attempts.slice(0, 10) };
  }

  private async attempts({ query = {} }: Parts): Promise<{ items: Attempt[]; next_cursor: string | null }> {
    const { items, next_cursor } = this.page(query);
    const records = await Promise.all(items.map((each) => this.results.attempt(each)));
    return { items: records.map(({ attempt }) => attempt), next_cursor };
  }

  private async scorecards({ query = {} }: Parts) {
    const { items, next_cursor } = this.page(query);
    const records = await Promise.all(items.map((each) => this.results.attempt(each)));
    return { items: records.map(({ attempt, scorecard }) => ({ attempt, scorecard })), next_cursor };
  }

  private page({
    limit = PAGE_SIZE,
    cursor = '0',
    run_agent_id,
    case_key,
    q,
    outcome,
    state,
  }: NonNullable<Parts['query']>) {
    const from = Number(cursor);
    const chosen = this.results.attempts.filter(
      (each) =>
        (run_agent_id === undefined || each.runAgentId === run_agent_id) &&
        (case_key === undefined || each.caseKey === case_key) &&
        (q === undefined || each.caseKey.toLowerCase().includes(String(q).toLowerCase())) &&
        (outcome === undefined || each.outcome === outcome) &&
        (state === undefined || state === 'finished'),
    );
    const end = from + Number(limit);
    return { items: chosen.slice(from, end), next_cursor: end < chosen.length ? String(end) : null };
  }

  private ranking() {
    const { end, start } = this.results;
    const { id: run_id, evaluation_spec_id } = start.run;
    if (end === undefined) return { run_id, state: 'pending', revision: null, items: [], rescore: null };
    const { items, judges, variants } = end.ranking;
    return {
      ...{ run_id, state: 'ready', revision: 1, evaluation_spec_id, items, judges, rescore: null },
      ...(variants.length > 0 && { variants }),
    };
  }

  private ndjson(after: number): Response {
    const events = eventsOf(this.results, after);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await events.next();
        if (done) controller.close();
        else controller.enqueue(Buffer.from(`${JSON.stringify(value)}\n`));
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
  }

  private indexed(id = ''): IndexedAttempt {
    const found = this.results.find(id);
    if (found !== undefined) return found;
    throw notFound(`There is no attempt ${id} in the file of results.`);
  }

  private async record(
    id: string | undefined,
  ): Promise<{ attempt: Attempt; scorecard: AttemptScorecard; final_output: string | null }> {
    return await this.results.attempt(this.indexed(id));
  }

  private async attempt(id: string | undefined) {
    const { attempt, final_output } = await this.record(id);
    const { delivery, outcome, error, started_at, finished_at } = attempt;
    const stored = await this.results.case(attempt.case_key);
    return {
      ...{ ...attempt, final_output, snapshot: null, stored_case: stored ?? {} },
      deliveries: [{ delivery, outcome, error, started_at: started_at ?? '', finished_at }],
    };
  }

  private async replay({ params, query = {} }: Parts) {
    const { attempt } = await this.record(params?.attempt_id);
    const delivery = Number(query.delivery ?? attempt.delivery);
    const from = Number(query.cursor ?? 0);
    const end = from + Number(query.limit ?? PAGE_SIZE);
    const page = stepsPage(await this.results.events(attempt.id, delivery), {
      ...{ delivery, from, end },
      ...(query.text_max !== undefined && { textMax: Number(query.text_max) }),
    });
    return { ...page, attempt_id: attempt.id, delivery };
  }

  private async payload({ params, query = {} }: Parts): Promise<Response> {
    const { attempt } = await this.record(params?.attempt_id);
    const events = await this.results.events(attempt.id, Number(query.delivery ?? attempt.delivery));
    const event = events.find((each) => each.sequence_number === Number(params?.sequence_number));
    if (event === undefined) throw notFound(`The attempt has no event ${params?.sequence_number}.`);
    return Response.json(event.payload);
  }

  private async events({ params, query = {} }: Parts) {
    const { attempt } = await this.record(params?.attempt_id);
    const delivery = Number(query.delivery ?? attempt.delivery);
    const from = Number(query.cursor ?? 0);
    const end = from + Number(query.limit ?? PAGE_SIZE);
    const events = await this.results.events(attempt.id, delivery);
    const { event_type: type } = query;
    const all = type === undefined ? events : events.filter((event) => event.event_type === type);
    return { items: all.slice(from, end), next_cursor: end < all.length ? String(end) : null, delivery };
  }

  private agentScorecard(id = '') {
    const { end, start } = this.results;
    const found = end?.agent_scorecards.find(({ run_agent_id }) => run_agent_id === id);
    if (found !== undefined) return found;
    if (start.agents.some((agent) => agent.id === id)) return { run_agent_id: id, ...PENDING };
    throw notFound(`There is no scorecard of a run agent ${id} in the file of results.`);
  }
}

/** Of a lane whose run did not come to its end. */
const PENDING = {
  ...{ state: 'pending', revision: null, evaluation_spec_id: null, spec_hash: null, evidence_hash: null },
  ...{ scored_at: null, scorecard: null, failure: null },
} as const;

function notFound(detail: string): ApiError {
  return new ApiError({ code: 'not_found', detail });
}
