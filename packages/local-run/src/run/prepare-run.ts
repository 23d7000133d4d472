import { createHash } from 'node:crypto';
import type { ArtifactRef, LimitSettings } from '@agentclash/attempt-plan';
import { drawCaseOrder, type PackSummary } from '@agentclash/challengepack';
import {
  type CaseKey,
  ContractError,
  type PackVersion,
  type Run,
  type StoredCase,
} from '@agentclash/contracts';
import { type PackCase, type PackSource, planningOf, storedCaseOf } from '@agentclash/local-attempts';
import {
  type AgentSnapshot,
  agentWarnings,
  artifactIdsOf,
  baselineWarnings,
  capabilityProblem,
  caseImages,
  compatibilityProblem,
  conversationProblem,
  credentialReferences,
  foldKeys,
  idsOfNamed,
  lanesOf,
  ModelCatalog,
  namedCases,
  namedDeployments,
  type PackModels,
  type PackVersionView,
  packModelsProblem,
  pinnedPrices,
  presetProblem,
  priceProblem,
  priceWarnings,
  readPackModels,
  refuse,
  type SecretNeeds,
  secretNeeds,
  serversProblem,
  sharedArtifactIds,
  simulatorWarnings,
  sizeProblem,
  snapshotOf,
  toolsProblem,
  toolWarnings,
} from '@agentclash/run-rules';
import { v7 as newId } from 'uuid';
import { LocalSecrets, type SecretValues, secretKeyOf } from '../models/local-secrets.js';
import { uuidOf } from './ids.js';
import type { LocalAgents } from './local-agents.js';

/** The request of a user, as of a run on a server. */
export interface LocalRunRequest {
  name?: string | undefined;
  inputSet?: string | undefined;
  deployments?: readonly string[] | undefined;
  lineup?: string | undefined;
  variants?: readonly string[] | undefined;
  cases?: readonly string[] | undefined;
  repetitions: number;
  maxConcurrency?: number | undefined;
  seed?: number | undefined;
  labels?: Record<string, string> | undefined;
  limits?: LimitSettings | undefined;
}

/** One lane of a run. */
export interface LocalLane {
  id: string;
  snapshot: AgentSnapshot;
  prices: ReturnType<typeof pinnedPrices>;
  /** The secrets that its attempts may open. */
  secretKeys: readonly string[];
}

/** A run that was admitted: everything is checked before anything is written. */
export interface PreparedRun {
  /** As it is before its first attempt. */
  run: Run;
  packVersion: PackVersion;
  pack: PackSource;
  version: PackVersionView;
  lanes: readonly LocalLane[];
  /** In the order of work. */
  caseKeys: readonly string[];
  cases: ReadonlyMap<string, LocalCase>;
  packModels: PackModels;
  accounts: LocalAgents['accounts'];
  secrets: LocalSecrets;
  files: LocalAgents['files'];
  limits: LimitSettings;
}

export interface LocalCase {
  case: PackCase;
  /** Within its input set. */
  position: number;
}

export function storedCase({ case: each, position }: LocalCase): StoredCase {
  return storedCaseOf(each, position);
}

export const WORKSPACE_ID = uuidOf('agentclash:workspace:local');

/** Fails with `ContractError` for the first reason why these agents cannot race on this pack. */
export async function prepareRun(
  { pack, summary, name }: { pack: PackSource; summary: PackSummary; name: string },
  agents: LocalAgents,
  { request, secretValues }: { request: LocalRunRequest; secretValues: SecretValues },
): Promise<PreparedRun> {
  const { manifest, spec } = pack;
  const set = inputSetOf(pack, request.inputSet);
  const cases = casesOf(pack, set.key);
  const keys = await foldKeys(pagesOf(cases));
  const { caseKeys: chosen, subset } =
    request.cases === undefined ? { caseKeys: keys.keys } : namedCases(keys.keys, request.cases);
  const catalog = new ModelCatalog(agents.accounts, agents.aliases);
  const snapshots = await snapshotsOf(pack, agents, { request, catalog });
  const size = { agents: snapshots.length, cases: chosen.length, repetitions: request.repetitions };
  const hasPerson = chosen.some((key) => keys.withPerson.has(key));
  refuse(
    sizeProblem(size) ??
      capabilityProblem(manifest) ??
      compatibilityProblem(manifest, snapshots) ??
      conversationProblem(manifest, { hasPerson, agents: snapshots }) ??
      (hasPerson ? PERSON : undefined),
  );
  const version = versionViewOf(pack);
  const reading = readPackModels({ spec, phases: keys.phases }, catalog);
  const { models: packModels, simulators } = reading;
  const limits = request.limits ?? {};
  refuse(
    toolsProblem(manifest, snapshots) ??
      serversProblem(version, snapshots) ??
      packModelsProblem(reading, snapshots) ??
      presetProblem(snapshots) ??
      priceProblem(snapshots, { spec, runLimits: limits, catalog }),
  );
  const needs = secretNeeds({ manifest, spec, packModels, simulators, agents: snapshots, secretKeyOf });
  const secrets = new LocalSecrets(secretValues, credentialReferences(snapshots, packModels));
  refuse(secrets.problem(needs));
  const caseKeys = request.seed === undefined ? [...chosen] : drawCaseOrder(request.seed, chosen);
  const packVersion = packVersionOf(pack, summary, name);
  const warnings = [
    ...baselineWarnings(snapshots),
    ...agentWarnings(manifest, snapshots),
    ...toolWarnings(manifest, snapshots),
    ...simulatorWarnings(reading),
    ...priceWarnings(snapshots, { spec, packModels, catalog }),
  ];
  return {
    ...{ pack, packVersion, version, caseKeys, cases, packModels, secrets, limits },
    ...{ accounts: agents.accounts, files: agents.files },
    lanes: lanesWith(snapshots, needs, pack),
    run: runOf({
      packVersion,
      set,
      warnings,
      subset,
      request,
      total: size.agents * size.cases * size.repetitions,
    }),
  };
}

const PERSON = {
  code: 'unsupported_capability',
  message:
    'The pack has phases of the actor "human", and a run in one process has no place for a person to reply: agentclash up, then agentclash run start.',
} as const;

function inputSetOf({ manifest }: PackSource, key: string | undefined): { key: string } {
  const sets = manifest.input_sets;
  const keys = sets.map((set) => set.key).join(', ');
  const found = key === undefined ? sets[0] : sets.find((set) => set.key === key);
  if (key === undefined && sets.length > 1) {
    throw new ContractError(
      'input_set_required',
      `The pack has ${sets.length} input sets: choose one of ${keys} (--input-set KEY).`,
    );
  }
  if (found !== undefined) return found;
  if (key === undefined)
    throw new ContractError('no_input_sets', 'The pack has no input set: there is nothing to run.');
  throw new ContractError('not_found', `The pack has no input set "${key}", but ${keys}.`);
}

function casesOf({ cases }: PackSource, set: string): Map<string, LocalCase> {
  const found = new Map<string, LocalCase>();
  for (const each of cases) {
    if (each.inputSetKey !== set) continue;
    found.set(planningOf(each).case_key, { case: each, position: found.size });
  }
  return found;
}

async function* pagesOf(cases: ReadonlyMap<string, LocalCase>): AsyncGenerator<CaseKey[]> {
  for (const { case: each, position } of cases.values()) {
    const { case_key, challenge_key, user_simulator: simulator } = planningOf(each);
    const phases = (simulator?.phases ?? []).map(({ actor, model }) => ({
      actor,
      ...(model !== undefined && { model }),
    }));
    yield [{ position, case_key, challenge_key, phases }];
  }
}

async function snapshotsOf(
  { manifest }: PackSource,
  agents: LocalAgents,
  { request, catalog }: { request: LocalRunRequest; catalog: ModelCatalog },
): Promise<AgentSnapshot[]> {
  const { deployments, profiles, tools, files } = agents;
  const chosen = await chosenDeployments(manifest.version.deployment_defaults, deployments, request);
  const lanes = lanesOf(chosen, request.variants);
  const artifacts = new Map<string, ArtifactRef>();
  for (const { deployment } of lanes) {
    for (const id of artifactIdsOf(deployment)) {
      const bytes = files.get(id);
      if (bytes === undefined) throw new ContractError('not_found', `There is no stored file ${id} here.`);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      artifacts.set(id, { artifact_id: id, sha256, bytes: bytes.length });
    }
  }
  const byId = new Map(profiles.map((profile) => [profile.id, profile]));
  return lanes.map((lane) =>
    snapshotOf(lane, {
      profile: byId.get(lane.deployment.runtime_profile_id ?? ''),
      artifacts,
      resources: { models: catalog, tools },
    }),
  );
}

/** Those that are named; else the default lineup of the pack where the file has its agents; else all of the file. */
async function chosenDeployments(
  defaults: PackSource['manifest']['version']['deployment_defaults'],
  deployments: LocalAgents['deployments'],
  { deployments: names, lineup }: LocalRunRequest,
): Promise<LocalAgents['deployments']> {
  const isNamed = (names?.length ?? 0) > 0 || lineup !== undefined;
  if (!isNamed) return deployments;
  const named = namedDeployments(
    {
      ...(names !== undefined && names.length > 0 && { deployment_names: [...names] }),
      ...(lineup !== undefined && { lineup }),
    },
    defaults,
  );
  if (named === undefined) return deployments;
  const known = { found: [...deployments], names: async () => deployments.map(({ name }) => name).sort() };
  const ids = await idsOfNamed(named, known, defaults);
  return ids.flatMap((id) => deployments.find((each) => each.id === id) ?? []);
}

function versionViewOf({ manifest, spec, artifacts: all }: PackSource): PackVersionView {
  const artifacts = new Map<string, ArtifactRef>();
  for (const id of sharedArtifactIds(manifest)) {
    const found = all.get(id);
    if (found !== undefined) artifacts.set(id, found);
  }
  return { manifest: { ...manifest, input_sets: [] }, spec, caseImages: caseImages(manifest), artifacts };
}

function lanesWith(
  snapshots: readonly AgentSnapshot[],
  { everyone, agents }: SecretNeeds,
  { spec }: PackSource,
): LocalLane[] {
  return snapshots.map((snapshot, index) => ({
    id: newId(),
    snapshot,
    prices: pinnedPrices(snapshot, spec.pricing),
    secretKeys: [...everyone, ...(agents[index] ?? [])],
  }));
}

function packVersionOf(pack: PackSource, summary: PackSummary, name: string): PackVersion {
  const { slug, number, digest, manifest } = pack;
  const id = uuidOf(`version:${digest}`);
  return {
    ...{ id, slug, name, digest, version_number: number, execution_mode: manifest.version.execution_mode },
    challenge_pack_id: uuidOf(`pack:${slug}`),
    evaluation_spec_id: uuidOf(`spec:${digest}`),
    ...{ lifecycle_status: 'runnable', bundle_artifact_id: null, summary: { ...summary, digest } },
    ...{ published_at: new Date().toISOString(), published_by: 'local' },
  };
}

interface NewRun {
  packVersion: PackVersion;
  set: { key: string };
  warnings: Run['warnings'];
  subset: Run['case_subset'];
  request: LocalRunRequest;
  total: number;
}

function runOf({ packVersion, set, warnings, subset, request, total }: NewRun): Run {
  const { id: versionId, slug, name, version_number, evaluation_spec_id } = packVersion;
  return {
    ...{ id: newId(), workspace_id: WORKSPACE_ID, name: request.name ?? null, status: 'queued' },
    ...{ challenge_pack_version_id: versionId, evaluation_spec_id, pack: { slug, name, version_number } },
    input_set: { id: uuidOf(`set:${versionId}:${set.key}`), key: set.key },
    ...(subset && { case_subset: subset }),
    ...{ repetitions: request.repetitions, max_concurrency: request.maxConcurrency ?? null },
    limits: { ...request.limits },
    ...(request.seed !== undefined && { seed: request.seed }),
    ...{ labels: request.labels ?? {}, warnings: [...warnings] },
    progress: {
      total,
      queued: total,
      running: 0,
      finished: 0,
      scored: 0,
      graded: 0,
      passed: 0,
      by_outcome: {},
    },
    ...{ created_at: new Date().toISOString(), created_by: 'local', started_at: null, finished_at: null },
  };
}
