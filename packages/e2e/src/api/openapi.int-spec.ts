import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadCredentials, openLayout, type RunningStack, startLocalStack } from '@agentclash/local-stack';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { repository } from '../product.js';
import { ApiDriver, type ApiRequest, type ApiResponse } from './api-driver.js';
import { callAudits } from './audit-responses.js';
import { callDrafts } from './draft-responses.js';
import { CREDENTIALS, SHOWN_ELSEWHERE } from './not-shown.js';
import { fileForm, unreadable } from './request-bodies.js';
import { callReviews } from './review-responses.js';
import { callShares } from './share-responses.js';
import { callWebhooks } from './webhook-responses.js';

jest.setTimeout(180_000);

const example = (...names: string[]) => readFileSync(path.join(repository, 'examples', ...names), 'utf8');
const YAML = { 'content-type': 'application/yaml' };
const PACK = example('challenge-packs', 'capital-cities.yaml');
const AGENTS = (parse(example('deployments', 'capital-cities.yaml')) as { deployments: object[] })
  .deployments;

describe('the API, held against the document that it serves', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-api-'));
  const data = path.join(folder, 'data');
  let stack: RunningStack;
  let api: ApiDriver;
  let operator: string;
  let viewer: string;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    // Every route is called with invalid tokens, one after the other.
    const environment = { INVALID_TOKEN_RATE_LIMIT: '0' };
    stack = await startLocalStack({ allowLoopbackEndpoints: true, data, writeUserFile: false, environment });
    operator = (await loadCredentials(await openLayout(data), false)).operatorToken;
    api = await ApiDriver.open(stack.url, stack.token);
    viewer = (await api.expect(201, 'tokens_create', { body: { name: 'reader', role: 'viewer' } })).body
      .token;
  });
  afterAll(async () => {
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Creates with a key, again with the same, and with another body: 201, the same response, 409. */
  async function creates(id: string, request: ApiRequest, status = 201): Promise<ApiResponse> {
    const { body } = request;
    const isForm = body instanceof FormData;
    const text = typeof body === 'string' || isForm ? body : JSON.stringify(body);
    const type: Record<string, string> = text === body ? {} : { 'content-type': 'application/json' };
    const headers = { ...type, ...request.headers, 'idempotency-key': randomUUID() };
    const keyed: ApiRequest = { ...request, headers, body: text };
    const first = await api.expect(status, id, keyed);
    expect((await api.expect(status, id, keyed)).body).toEqual(first.body);
    const other = await api.expect(409, id, { ...keyed, body: isForm ? fileForm('others') : `${text}\n ` });
    expect(other.body.code).toBe('idempotency_key_reused');
    return first;
  }

  test('the routes of the service itself respond as the document declares', async () => {
    for (const id of ['service_health', 'service_readiness', 'service_openapi', 'service_reference']) {
      await api.expect(200, id, { token: null });
    }
    const { body } = await api.expect(200, 'service_installation', { token: viewer });
    expect(body.services.filter(({ state }: { state: string }) => state !== 'ready')).toEqual([]);
    expect(body.executors).toHaveLength(1);
  });

  test('the routes of workspaces, tokens and keys respond as the document declares', async () => {
    await api.expect(200, 'workspaces_whoami');
    await api.expect(200, 'workspaces_list');
    await creates('workspaces_create', { token: operator, body: { slug: 'other' } });
    await api.expect(200, 'tokens_list');
    const { body } = await creates('tokens_create', { body: { name: 'ci', role: 'member' } });
    const params = { token_id: body.id };
    await api.expect(200, 'tokens_get', { params });
    await api.expect(204, 'tokens_revoke', { params });
    await api.expect(404, 'tokens_get', { params });
    await api.expect(401, 'workspaces_whoami', { token: body.token });
    const { code } = (await api.expect(201, 'sessions_createCode', { body: {} })).body;
    const session = (await api.expect(201, 'sessions_open', { token: null, body: { code } })).body;
    await api.expect(204, 'sessions_close', { token: session.token });
    await api.expect(401, 'workspaces_whoami', { token: session.token });
    await api.expect(200, 'storage_usage');
    const kept = await api.expect(200, 'storage_configure', { body: { retention_days: 30 } });
    expect(kept.body.retention_days).toBe(30);
    await api.expect(200, 'storage_configure', { body: { retention_days: 'default' } });
    await api.expect(422, 'storage_configure', { body: {} });
    const sweep = { token: operator, body: { area: 'artifacts', dry_run: true } };
    expect((await api.expect(200, 'storage_sweep', sweep)).body).toMatchObject({ removed: 0, missing: 0 });
    const ring = await api.expect(200, 'vaultKeys_status', { token: operator });
    const old = ring.body.active_key_id;
    await api.expect(202, 'vaultKeys_rotate', { token: operator });
    await waitFor(
      async () => !(await api.expect(200, 'vaultKeys_status', { token: operator })).body.is_rotating,
    );
    await api.expect(200, 'vaultKeys_retire', { token: operator, params: { key: old } });
  });

  test('the routes of secrets, accounts, aliases, profiles, tools and policies respond as the document declares', async () => {
    await api.expect(204, 'secrets_set', {
      params: { key: 'TOKEN' },
      body: { value: 'a secret of tests', hosts: ['api.example.com', 'http://127.0.0.1:8080'] },
    });
    await api.expect(422, 'secrets_set', { params: { key: 'TOKEN' }, body: { value: 'a secret of tests' } });
    await api.expect(200, 'secrets_list');
    await api.expect(200, 'secrets_audit');
    await api.expect(204, 'secrets_remove', { params: { key: 'TOKEN' } });
    const account = { name: 'local', provider_key: 'openai_compatible', base_url: 'http://127.0.0.1:9/v1' };
    const provider_account_id = await resource('providerAccounts', 'provider_account_id', account);
    await api.expect(200, 'providerAccounts_test', {
      params: { provider_account_id },
      body: { model: 'none' },
    });
    await api.expect(200, 'prices_list');
    const alias = { name: 'fast', provider_account_id, model: 'small' };
    const model_alias_id = await resource('modelAliases', 'model_alias_id', alias);
    await api.expect(409, 'providerAccounts_remove', { params: { provider_account_id } });
    const profile_id = await resource('profiles', 'profile_id', {
      name: 'short',
      max_iterations: 3,
    });
    const tool = {
      name: 'look',
      tool_kind: 'primitive',
      capability_key: 'read_file',
      definition: {
        description: 'Reads.',
        parameters: { type: 'object', properties: { path: { type: 'string' } } },
        implementation: { mode: 'delegate', primitive: 'read_file', args: { path: '${path}' } },
      },
    };
    const tool_id = await resource('tools', 'tool_id', tool);
    const spec = {
      name: 'attached',
      kind: 'model' as const,
      runtime_profile_id: profile_id,
      config: { model_alias: 'fast', tools: [tool_id] },
    };
    const { body } = await api.call('deployments_create', { body: spec });
    expect(body).toMatchObject({ name: 'attached' });
    for (const [id, params] of [
      ['modelAliases_remove', { model_alias_id }],
      ['profiles_remove', { profile_id }],
      ['tools_remove', { tool_id }],
    ] as const) {
      await api.expect(409, id, { params });
    }
    await api.expect(204, 'deployments_archive', { params: { deployment_id: body.id } });
    await api.expect(204, 'tools_remove', { params: { tool_id } });
    await api.expect(204, 'profiles_remove', { params: { profile_id } });
    await api.expect(204, 'modelAliases_remove', { params: { model_alias_id } });
    await api.expect(204, 'providerAccounts_remove', { params: { provider_account_id } });
    const gate_policy_id = await resource('gatePolicies', 'gate_policy_id', { name: 'release' });
    await api.expect(204, 'gatePolicies_remove', { params: { gate_policy_id } });
  });

  /** Makes one, reads, lists, replaces; a taken name is refused. Returns its id. */
  async function resource(
    group: string,
    idName: string,
    spec: Record<string, unknown> & { name: string },
  ): Promise<string> {
    const { body } = await creates(`${group}_create`, { body: spec });
    const other = await api.expect(201, `${group}_create`, { body: { ...spec, name: `${spec.name}2` } });
    const params = { [idName]: body.id };
    await api.expect(200, `${group}_get`, { params });
    await api.expect(200, `${group}_list`);
    await api.expect(200, `${group}_update`, { params, body: spec });
    await api.expect(409, `${group}_update`, { params: { [idName]: other.body.id }, body: spec });
    await api.expect(204, `${group}_remove`, { params: { [idName]: other.body.id } });
    return body.id;
  }

  test('the routes of packs, versions and artifacts respond as the document declares', async () => {
    await api.expect(200, 'packs_validate', { body: PACK, headers: YAML });
    await creates('packs_publish', { body: PACK, headers: YAML });
    const { body } = await api.expect(200, 'packs_publish', { body: PACK, headers: YAML });
    const params = { version_id: body.challenge_pack_version_id, input_set_id: body.input_set_ids[0] };
    await api.expect(200, 'packs_list');
    await api.expect(200, 'packs_get', { params: { pack: 'capital-cities' } });
    for (const id of [
      'versions_get',
      'versions_manifest',
      'versions_bundle',
      'versions_inputSets',
      'versions_cases',
    ]) {
      await api.expect(200, id, { params });
    }
    const spare = PACK.replace('slug: capital-cities', 'slug: spare');
    const made = await api.expect(201, 'packs_publish', { body: spare, headers: YAML });
    const version = { version_id: made.body.challenge_pack_version_id };
    await api.expect(200, 'versions_setLifecycle', {
      params: version,
      body: { lifecycle_status: 'archived' },
    });
    await api.expect(409, 'versions_setLifecycle', {
      params: version,
      body: { lifecycle_status: 'runnable' },
    });

    await callAudits(api, { creates, pack: PACK, version_id: params.version_id });
    const stored = await creates('artifacts_upload', { body: fileForm('some bytes') });
    const artifact = { artifact_id: stored.body.id };
    await api.expect(200, 'artifacts_list');
    await api.expect(200, 'artifacts_get', { params: artifact });
    await api.expect(200, 'artifacts_content', { params: artifact });
    await api.expect(206, 'artifacts_content', { params: artifact, headers: { range: 'bytes=0-3' } });
    await api.expect(409, 'artifacts_remove', { params: { artifact_id: body.bundle_artifact_id } });
    await api.expect(204, 'artifacts_remove', { params: artifact });
  });

  test('the routes of deployments, runs, attempts, scores, comparisons and gates respond as the document declares', async () => {
    const published = await api.expect(200, 'packs_publish', { body: PACK, headers: YAML });
    const deployment_ids: string[] = [];
    for (const body of AGENTS) deployment_ids.push((await creates('deployments_create', { body })).body.id);
    const [deployment_id = ''] = deployment_ids;
    await api.expect(200, 'deployments_list');
    await api.expect(200, 'deployments_get', { params: { deployment_id } });
    await api.expect(200, 'deployments_update', { params: { deployment_id }, body: AGENTS[0] });
    await api.expect(409, 'deployments_update', { params: { deployment_id }, body: AGENTS[1] });

    const request = { challenge_pack_version_id: published.body.challenge_pack_version_id, deployment_ids };
    await api.expect(200, 'evalPlans_make', { body: { ...request, difference: 0.5 } });
    const started = await creates('runs_create', { body: request });
    const params = { run_id: started.body.id };
    await reaches(params, 'completed');
    for (const id of [
      'runs_get',
      'runs_agents',
      'runs_attempts',
      'runs_ranking',
      'runs_scorecards',
      'runs_failures',
      'runs_list',
    ]) {
      await api.expect(200, id, { params });
    }
    await api.expect(200, 'runs_trends', { query: { limit: '10' } });
    await api.expect(200, 'runs_findIds', { query: { part: params.run_id.slice(-8) } });
    await api.expect(200, 'runs_edit', { params, body: { note: 'held against the document' } });
    await api.expect(200, 'runs_search', { params, query: { q: 'the' } });
    await api.expect(200, 'runs_events', { params });
    const events = await api.expect(200, 'runs_events', { params, query: { format: 'ndjson' } });
    const last = JSON.parse(events.body.trim().split('\n').at(-1)) as { position: number };
    for (const format of ['jsonl', 'csv', 'parquet', 'atif', 'otel']) {
      await api.expect(200, 'runs_export', { params, query: { format } });
    }
    await api.expect(422, 'runs_export', { params, query: { format: 'inspect' } });
    const lane = (await api.expect(200, 'runs_agents', { params })).body.items[0].name;
    await api.expect(200, 'runs_export', { params, query: { format: 'inspect', lane } });
    await api.expect(204, 'runs_events', { params, headers: { 'last-event-id': String(last.position) } });
    for (const id of ['runs_cancel', 'runs_pause', 'runs_resume']) await api.expect(409, id, { params });

    const { challenge_pack_version_id } = request;
    const source = { format: 'jsonl', sha256: '0'.repeat(64) };
    const { body: imported } = await creates('runs_beginImport', {
      body: { challenge_pack_version_id, lanes: [{ name: 'elsewhere' }], source },
    });
    const brought = { run_id: imported.id };
    const [attempted] = (await api.expect(200, 'runs_attempts', { params: brought })).body.items;
    const { case_key } = attempted;
    const body = { attempts: [{ lane: 'elsewhere', case_key, final_output: 'Lima' }] };
    await api.expect(200, 'runs_addImported', { params: brought, body });
    await api.expect(202, 'runs_completeImport', { params: brought });
    await reaches(brought, 'completed');
    await api.expect(409, 'runs_addImported', { params, body });
    await api.expect(409, 'runs_completeImport', { params });

    const agents = (await api.expect(200, 'runs_agents', { params })).body.items;
    await api.expect(200, 'runAgents_scorecard', { params: { run_agent_id: agents[0].id } });
    const attempts = (await api.expect(200, 'runs_attempts', { params })).body.items;
    const attempt = { attempt_id: attempts[0].id };
    for (const id of ['attempts_get', 'attempts_events', 'attempts_replay', 'attempts_scorecard']) {
      await api.expect(200, id, { params: attempt });
    }
    await api.expect(200, 'attempts_payload', { params: { ...attempt, sequence_number: '1' } });
    await api.expect(409, 'attempts_answer', { params: attempt, body: { turn_index: 0, message: 'hello' } });
    await api.call('attempts_requestPhase', { params: attempt, body: { phase_id: 'later' } });

    await callReviews(api, { creates, reaches, pack: PACK, deployment_ids });
    await callWebhooks(api, resource);
    const run_id = params.run_id;
    await callShares(api, creates, run_id);
    await callDrafts(api, { pack: { body: PACK, headers: YAML }, deployment_id, run_id, reaches });
    await api.expect(200, 'baselines_set', { params: { name: 'main' }, body: { run_id } });
    await api.expect(200, 'baselines_get', { params: { name: 'main' } });
    await api.expect(200, 'baselines_list');
    const lanes = { baseline_agent: agents[0].id, candidate_agent: agents[1].id };
    await api.call('comparisons_compare', { query: { baseline: run_id, candidate: run_id, ...lanes } });
    await api.expect(200, 'comparisons_compare', { query: { baseline: run_id, candidate: run_id } });
    const evaluation = { body: { baseline: 'main', candidate_run_id: run_id } };
    await api.expect(200, 'gates_preview', evaluation);
    expect((await api.expect(200, 'gates_list')).body.items).toEqual([]);
    await api.expect(200, 'gatePolicies_getDefault');
    const decision = await creates('gates_evaluate', evaluation, 200);
    await api.expect(200, 'comparisons_get', { params: { comparison_id: decision.body.comparison_id } });
    await api.expect(200, 'gates_list');
    await creates('runs_rescore', { params, body: {} }, 202);

    const again = await creates('runs_retry', { params, body: { only: [attempts[0].id] } }, 202);
    expect(again.body.retried).toBe(1);
    await reaches(params, 'completed');

    const slow = {
      name: 'slow',
      kind: 'scripted',
      config: { steps: [{ answer: 'late', delay_ms: 60_000 }] },
    };
    const late = await api.expect(201, 'deployments_create', { body: slow });
    const long = await api.expect(201, 'runs_create', {
      body: { ...request, deployment_ids: [late.body.id] },
    });
    const other = { run_id: long.body.id };
    await reaches(other, 'running');
    await api.expect(409, 'baselines_set', { params: { name: 'early' }, body: { run_id: other.run_id } });
    await api.expect(202, 'runs_pause', { params: other });
    await api.expect(202, 'runs_resume', { params: other });
    await api.expect(202, 'runs_cancel', { params: other });
    await api.expect(409, 'runs_remove', { params });
    await api.expect(204, 'baselines_remove', { params: { name: 'main' } });
    await api.expect(204, 'runs_remove', { params });
    await api.expect(404, 'runs_get', { params });
  });

  async function reaches(params: Record<string, string>, status: string): Promise<void> {
    await waitFor(async () => (await api.expect(200, 'runs_get', { params })).body.status === status, {
      timeoutMs: 60_000,
    });
  }

  test('every error that a route declares occurs as the document declares it', async () => {
    for (const { id, access, bodies, statuses, path: address } of api.operations) {
      const token = access === 'operator' ? operator : stack.token;
      const [type = ''] = bodies;
      // A name of a form that is taken, and that nothing has.
      const named = { key: 'NONE', name: 'none' };
      const isForm = type === 'multipart/form-data';
      const json: ApiRequest = { params: named, ...(type === 'application/json' && { body: {} }) };
      const declared = (status: number) => statuses.includes(status);
      if (declared(401)) {
        const body = CREDENTIALS[id];
        const wrong = body === undefined ? json : { body };
        await api.expect(401, id, { ...wrong, params: named, token: null });
        await api.expect(401, id, { ...wrong, params: named, token: `ac_${'x'.repeat(43)}` });
      }
      if (declared(403) && id !== 'tokens_exchange') {
        // The operator makes workspaces and tokens, and has no business in a workspace.
        await api.expect(403, id, {
          ...json,
          token: ['viewer', 'signed'].includes(access) ? operator : viewer,
        });
      }
      if (declared(404)) await api.expect(404, id, { ...json, token, params: { ...named, ws: 'nowhere' } });
      if (declared(404) && address.includes('{ws}')) {
        const theirs = await api.expect(404, id, { ...json, token, params: { ...named, ws: 'other' } });
        const nobodys = await api.expect(404, id, { ...json, token, params: { ...named, ws: 'nowhere' } });
        expect({ ...theirs.body, request_id: '' }).toEqual({ ...nobodys.body, request_id: '' });
      }
      if (declared(422)) await api.expect(422, id, { ...json, token, query: { nonsense: '1' } });
      if (declared(400)) await api.expect(400, id, { params: named, ...unreadable(isForm, type, token) });
      if (declared(413) && !isForm) {
        const body = ' '.repeat(1_200_000);
        await api.expect(413, id, { params: named, token, headers: { 'content-type': type }, body });
      }
      if (declared(415))
        await api.expect(415, id, {
          params: named,
          token,
          headers: { 'content-type': 'image/png' },
          body: 'x',
        });
    }
  });

  test('every declared response occurred', () => {
    const declared = api.operations.flatMap(({ id, statuses }) =>
      statuses.map((status) => `${id} ${status}`),
    );
    const unseen = declared.filter(
      (each) => !api.seen.has(each) && !SHOWN_ELSEWHERE.some((rule) => rule.test(each)),
    );
    expect(unseen).toEqual([]);
  });
});
