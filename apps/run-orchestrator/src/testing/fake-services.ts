import { createHmac } from 'node:crypto';
import { Bus, BusConnection, Handles, Listener, type Serves, Subscribes } from '@agentclash/bus';
import { readStoredCase, storedCases } from '@agentclash/challengepack';
import {
  ACCESS,
  type Artifact,
  artifacts,
  ContractError,
  evidence,
  execution,
  executionEvents,
  type In,
  type Job,
  listenSubject,
  type Out,
  type Pack,
  type PackError,
  packs,
  type Rpc,
  races,
  runEvents,
  type StoredCase,
  type StoredEvidence,
  scorecards,
  scoredRuns,
  scoringEvents,
  scoringJobs,
  vault,
  webhookKeys,
} from '@agentclash/contracts';
import type { PublishedPack } from '@agentclash/run-rules/testing/published-pack';
import { newId, type RunningService, startService } from '@agentclash/service-kit';
import { Inject, Module, type Type } from '@nestjs/common';
import { plannedRace, raceVerdicts } from './race-verdicts.js';

const config = { LOG_LEVEL: 'fatal' as const, HEALTH_PORT: 0, HEALTH_HOST: '127.0.0.1' };

/** An attempt of a job. */
export interface DispatchedJob {
  run_id: string;
  attempt_id: string;
}

/** State, received messages and behaviour of the fake services around the orchestrator. */
export class FakeServices {
  readonly packs = new Map<string, PublishedPack>();
  readonly artifacts = new Map<string, Artifact>();
  readonly secrets = new Set<string>();
  /** Of these, those that are bound to nothing. */
  readonly unboundSecrets = new Set<string>();
  readonly granted: In<typeof vault.grant>[] = [];
  /** The attempts whose scores were requested. */
  readonly scoreRequests: { run_id: string; attempt_id: string }[] = [];
  /** The runs whose rankings were requested, each time. */
  readonly rankings: string[] = [];
  /** Of these, those that were requested for runs with a lane that stopped early. */
  readonly stoppedRankings = new Set<string>();
  /** The dispatched attempts, one entry per dispatch. */
  readonly jobs: DispatchedJob[] = [];
  readonly ends: In<typeof runEvents.completed>[] = [];
  readonly givenTurns: In<typeof executionEvents.turnGiven>[] = [];
  /** Runs that are baselines, that were released, and the attempts whose scorecards were removed. */
  readonly baselines = new Set<string>();
  readonly released = new Set<string>();
  readonly removed: string[] = [];
  /** Runs whose grants were withdrawn. */
  readonly revoked: string[] = [];
  /** The requests for keys of cases, and the keys of the cases that were requested. */
  readonly caseRequests: ('keys' | string[])[] = [];
  /** Most keys and cases in one reply. */
  caseKeysMax = 10_000;
  casesMax = 100;
  readonly plannedRaces: In<typeof races.plan>[] = [];
  /** May throw: scoring is unavailable then. */
  beforeRelease: () => void = () => {};
  beforeRemoval: () => void = () => {};
  beforeDecision: (request: In<typeof races.decide>) => void | Promise<void> = () => {};
  /** How many requests for a score, of an attempt and of a run, get no result. */
  loseScores = 0;
  loseRankings = 0;
  /** Signs deliveries of webhooks. */
  readonly signingKey = Buffer.from('a signing secret of tests');
  /** How many times the vault is unavailable when a run requests secrets. */
  grantsToFail = 0;
  /** Works on an attempt of the queue; the default leaves it. */
  execute: (job: DispatchedJob, bus: Bus) => Promise<unknown> = async () => {};
  /** Overall of an attempt, by its evidence. */
  judge: (found: StoredEvidence) => number | null = ({ result }) =>
    result.outcome === 'completed' ? 1 : null;

  /** True for an attempt that fails because something could not be judged. */
  lacksEvidence: (found: StoredEvidence) => boolean = () => false;

  /** Of a scorecard that has no overall. */
  validityWithoutOverall: 'valid' | 'invalid' = 'invalid';
  /** Why the pack keeps an attempt from being graded. */
  packError: (found: StoredEvidence) => PackError | undefined = () => undefined;

  add(pack: PublishedPack): PublishedPack {
    this.packs.set(pack.version.id, pack);
    return pack;
  }

  /** By slug. */
  findPack(slug: string): Pack {
    const versions = [...this.packs.values()]
      .map(({ version }) => version)
      .filter((each) => each.slug === slug);
    const [first] = versions;
    if (!first) throw new ContractError('not_found', 'There is no such pack.');
    const { challenge_pack_id: id, name, published_at: created_at } = first;
    return { id, slug, name, family: 'tests', description: null, created_at, versions };
  }

  find(versionId: string): PublishedPack {
    const found = this.packs.get(versionId);
    if (found) return found;
    throw new ContractError('not_found', 'There is no such version.');
  }
}

@Handles(execution)
class Executor implements Serves<typeof execution> {
  constructor(
    @Inject(FakeServices) private readonly fakes: FakeServices,
    @Inject(Bus) private readonly bus: Bus,
  ) {}

  async execute({ run_id, attempt_ids }: In<typeof execution.execute>) {
    const jobs = attempt_ids.map((attempt_id) => ({ run_id, attempt_id }));
    this.fakes.jobs.push(...jobs);
    await Promise.all(jobs.map((job) => this.fakes.execute(job, this.bus)));
  }

  async prompt(job: In<typeof execution.prompt>) {
    await this.execute(job);
  }
}

@Listener()
class ParkedExecutor {
  constructor(@Inject(FakeServices) private readonly fakes: FakeServices) {}

  @Subscribes(executionEvents.turnGiven, 'each')
  turnGiven(turn: In<typeof executionEvents.turnGiven>) {
    this.fakes.givenTurns.push(turn);
  }
}

@Handles(scoringJobs)
class Scoring implements Pick<Serves<typeof scoringJobs>, 'scoreAttempts' | 'scoreRun'> {
  constructor(
    @Inject(FakeServices) private readonly fakes: FakeServices,
    @Inject(Bus) private readonly bus: Bus,
  ) {}

  async scoreAttempts({ workspace_id, run_id, attempt_ids }: In<typeof scoringJobs.scoreAttempts>) {
    this.fakes.scoreRequests.push(...attempt_ids.map((attempt_id) => ({ run_id, attempt_id })));
    if (this.fakes.loseScores > 0) {
      this.fakes.loseScores -= 1;
      return;
    }
    const found = await this.bus.call(evidence.get, { workspace_id, attempt_ids });
    const items = found.items.map((stored) => {
      const pack_error = this.fakes.packError(stored);
      const overall = pack_error === undefined ? this.fakes.judge(stored) : null;
      const lacks_evidence = this.fakes.lacksEvidence(stored);
      const passed = overall === null ? null : overall >= 0.5 && !lacks_evidence;
      const validity = overall === null ? this.fakes.validityWithoutOverall : 'valid';
      const { run_agent_id, attempt_id } = stored;
      const score = { revision: 1, overall, passed, validity, lacks_evidence, pack_error, failure: null };
      return { run_agent_id, attempt_id, ...score };
    });
    await this.bus.publish(scoringEvents.attemptsScored, { workspace_id, run_id, items }, newId());
  }

  async scoreRun(job: In<typeof scoringJobs.scoreRun>) {
    this.fakes.rankings.push(job.run_id);
    if (job.is_stopped) this.fakes.stoppedRankings.add(job.run_id);
    if (this.fakes.loseRankings > 0) {
      this.fakes.loseRankings -= 1;
      return;
    }
    const { workspace_id, run_id, agents } = job;
    const ranking = agents.map(({ run_agent_id, name }, index) => ({ run_agent_id, name, rank: index + 1 }));
    await this.bus.publish(scoringEvents.runScored, { workspace_id, run_id, ranking }, newId());
  }
}

/** The part of scoring in deletions: it keeps baselines, and counts the removed scorecards. */
@Handles(scoredRuns)
class ScoredRuns implements Serves<typeof scoredRuns> {
  constructor(@Inject(FakeServices) private readonly fakes: FakeServices) {}

  release({ run_id }: In<typeof scoredRuns.release>) {
    this.fakes.beforeRelease();
    if (this.fakes.baselines.has(run_id)) {
      const baselines = [{ name: 'default', pack: 'words', input_set: 'all' }];
      throw new ContractError('conflict', `The run ${run_id} is the baseline "default".`, { baselines });
    }
    this.fakes.released.add(run_id);
    return {};
  }

  purge({ run_id, attempt_ids }: In<typeof scoredRuns.purge>) {
    this.fakes.beforeRemoval();
    if (!this.fakes.released.has(run_id)) throw new ContractError('conflict', 'Not released.');
    this.fakes.removed.push(...attempt_ids);
    return { rows: attempt_ids.length };
  }
}

/** Decides as scoring does, without its memory. */
@Handles(races)
class Races implements Serves<typeof races> {
  constructor(@Inject(FakeServices) private readonly fakes: FakeServices) {}

  async decide(request: In<typeof races.decide>) {
    await this.fakes.beforeDecision(request);
    return raceVerdicts(request);
  }

  plan(request: In<typeof races.plan>) {
    return plannedRace(request, this.fakes.plannedRaces);
  }
}

const read = { ranking: scorecards.ranking, runAgent: scorecards.runAgent };
const NOTHING_YET = { state: 'pending', revision: null, evaluation_spec_id: null } as const;

/** The part of scoring that is read before it has scored. */
@Handles(read)
class Scorecards implements Serves<typeof read> {
  ranking({ run_id }: In<typeof scorecards.ranking>) {
    return { run_id, ...NOTHING_YET, items: [] };
  }

  runAgent({ run_agent_id }: In<typeof scorecards.runAgent>) {
    const nothing = { spec_hash: null, evidence_hash: null, scored_at: null, scorecard: null, failure: null };
    return { run_agent_id, ...NOTHING_YET, ...nothing };
  }
}

/** Handlers that fail, for the other messages of a service: no service starts without a handler for each of its own. */
function absentHandlers(service: 'sandbox-executor' | 'scoring', ...played: Type[]): Type[] {
  return ACCESS[service].serves.flatMap((group) =>
    Object.entries<Rpc | Job>(group).flatMap(([name, message]) => {
      if (played.some(({ prototype }) => Object.hasOwn(prototype, name))) return [];
      class Absent {}
      Object.defineProperty(Absent.prototype, name, {
        value: () => Promise.reject(new ContractError('unavailable', 'not part of these tests')),
      });
      Handles({ [name]: message })(Absent);
      return [Absent];
    }),
  );
}

const EXECUTOR = [Executor, ParkedExecutor, ...absentHandlers('sandbox-executor', Executor)];
const SCORING = [
  Scoring,
  Scorecards,
  ScoredRuns,
  Races,
  ...absentHandlers('scoring', Scoring, Scorecards, ScoredRuns, Races),
];

@Listener()
class Gateway {
  constructor(@Inject(FakeServices) private readonly fakes: FakeServices) {}

  @Subscribes(runEvents.completed)
  completed(input: In<typeof runEvents.completed>) {
    this.fakes.ends.push(input);
  }
}

@Module({})
class FakeServicesModule {}

/** Starts registry, vault, scoring and executor as far as the orchestrator deals with them. */
export async function startFakeServices(
  natsUrl: string,
  fakes: FakeServices,
): Promise<{ bus: Bus; close: () => Promise<void> }> {
  const connection = await BusConnection.open({ servers: [natsUrl], name: 'gateway' });
  serveRequests(connection, fakes);
  const module = (controllers: Type[]) => ({
    module: FakeServicesModule,
    controllers,
    providers: [{ provide: FakeServices, useValue: fakes }],
  });
  const at = { ...config, NATS_URL: [natsUrl] };
  const services: RunningService[] = await Promise.all([
    startService({ name: 'gateway', module: module([Gateway]) }, at),
    startService({ name: 'sandbox-executor', module: module(EXECUTOR), concurrency: 64 }, at),
    startService(
      {
        name: 'scoring',
        module: module(SCORING),
        concurrency: 16,
      },
      at,
    ),
  ]);
  return {
    bus: new Bus(connection),
    close: async () => {
      await Promise.all(services.map((service) => service.close()));
      await connection.close();
    },
  };
}

function serveRequests(connection: BusConnection, fakes: FakeServices): void {
  serve(connection, packs.getVersion, ({ version_id }) => fakes.find(version_id).version);
  serve(connection, packs.inputSets, ({ version_id }) => ({ items: fakes.find(version_id).inputSets }));
  serve(connection, packs.manifest, ({ version_id }) => {
    const { version, manifest } = fakes.find(version_id);
    // The cases are read by key: the manifest of a set from a file has none.
    return { digest: version.digest, manifest: { ...manifest, input_sets: [] } };
  });
  const rows = new Map<string, StoredCase[]>();
  const rowsOf = (versionId: string, key: string) => {
    const name = `${versionId}/${key}`;
    const known = rows.get(name);
    if (known) return known;
    const stored = storedCases(fakes.find(versionId).manifest).flatMap(({ input_set_key, ...row }) =>
      input_set_key === key ? [{ ...row, document: { ...row.document } }] : [],
    );
    if (stored.length === 0) throw new ContractError('not_found', `The version has no input set "${key}".`);
    rows.set(name, stored);
    return stored;
  };
  serve(connection, packs.caseKeys, ({ version_id, input_set_key, after = -1 }) => {
    fakes.caseRequests.push('keys');
    const left = rowsOf(version_id, input_set_key).slice(after + 1);
    const page = left.slice(0, fakes.caseKeysMax).map((row) => {
      const { position, case_key, challenge_key } = row;
      const phases = readStoredCase(row).user_simulator?.phases ?? [];
      const facts = phases.map(({ actor, model }) => ({ actor, ...(model !== undefined && { model }) }));
      return { position, case_key, challenge_key, phases: facts };
    });
    return { items: page, has_more: left.length > page.length };
  });
  serve(connection, packs.casesByKey, ({ version_id, input_set_key, case_keys }) => {
    fakes.caseRequests.push(case_keys);
    const wanted = new Set(case_keys);
    const found = rowsOf(version_id, input_set_key).filter(({ case_key }) => wanted.has(case_key));
    const rest = found.slice(fakes.casesMax).map(({ case_key }) => case_key);
    return { items: found.slice(0, fakes.casesMax), rest };
  });
  serve(connection, artifacts.getMany, ({ artifact_ids }) => {
    const missing = artifact_ids.filter((id) => !fakes.artifacts.has(id));
    if (missing.length > 0) throw new ContractError('not_found', `No artifact ${missing.join(', ')}.`);
    return { items: artifact_ids.flatMap((id) => fakes.artifacts.get(id) ?? []) };
  });
  serve(connection, packs.get, ({ pack }) => fakes.findPack(pack));
  serve(connection, vault.revoke, ({ run_id }) => {
    fakes.revoked.push(run_id);
    return {};
  });
  serve(connection, vault.grant, (request) => {
    if (fakes.grantsToFail > 0) {
      fakes.grantsToFail -= 1;
      throw new ContractError('unavailable', 'The vault is unavailable.');
    }
    const { keys, agents = [], judges = [] } = request;
    const missing = [keys, judges, ...agents.map((agent) => agent.keys)]
      .flat()
      .filter((key) => !fakes.secrets.has(key));
    if (missing.length > 0) throw new ContractError('missing_secret', 'Not set.', { keys: missing });
    fakes.granted.push(request);
    const granted = [keys, judges, ...agents.map((agent) => agent.keys)].flat();
    return { unbound: granted.filter((key) => fakes.unboundSecrets.has(key)) };
  });
  serve(connection, webhookKeys.sign, ({ content }) => ({
    signature_base64: createHmac('sha256', fakes.signingKey).update(content).digest('base64'),
  }));
  serve(connection, vault.unbound, ({ keys }) => ({
    keys: keys.filter((key) => fakes.unboundSecrets.has(key)),
  }));
}

function serve<R extends Rpc>(
  connection: BusConnection,
  message: R,
  reply: (request: In<R>) => Out<R>,
): void {
  connection.nats.subscribe(listenSubject(message), {
    callback: (_error, request) => {
      try {
        request.respond(JSON.stringify({ ok: true, data: reply(request.json()) }));
      } catch (error) {
        const { code, message: text, details } = error as ContractError;
        request.respond(JSON.stringify({ ok: false, error: { code, message: text, details } }));
      }
    },
  });
}
