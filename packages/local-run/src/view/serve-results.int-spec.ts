import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { ApiError, createClient, routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agentsOf, conducted, ECHO, MUTE, prepared, resultsFolder, wordsPack } from '../testing/runs.js';
import { type ServedResults, serveResults } from './serve-results.js';

const folder = resultsFolder();
afterAll(() => folder.remove());

describe('The web app over a file of results', () => {
  let served: ServedResults;
  let link: URL;
  let token: string;
  let runId: string;

  beforeAll(async () => {
    const web = folder.path('web');
    mkdirSync(web);
    writeFileSync(`${web}/index.html`, '<!doctype html><title>app</title>');
    const file = folder.path('run.clash');
    const end = await conducted(await prepared(wordsPack(3), agentsOf(ECHO, MUTE)), { file });
    runId = end?.run.id ?? '';
    served = await serveResults(file, web);
    link = new URL(served.url);
    const code = link.hash.replace('#code=', '');
    token = (await createClient({ baseUrl: link.origin }).call(routes.sessions.open, { body: { code } }))
      .token;
  });
  afterAll(() => served.close());

  const client = () => createClient({ baseUrl: link.origin, token, workspace: 'results' });
  const status = async (address: string, init: RequestInit = {}) =>
    (await fetch(`${link.origin}${address}`, init)).status;

  test('it listens on the loopback interface alone, with a secret of 256 bits in the part that no request has', () => {
    expect(link.hostname).toBe('127.0.0.1');
    expect(link.hash).toMatch(/^#code=[\w-]{43}$/);
    expect(link.pathname).toBe(`/runs/${runId}`);
  });

  test('nothing of the run is readable without the token, with another one, or with another code', async () => {
    const ranking = `/v1/workspaces/results/runs/${runId}/ranking`;
    expect(await status(ranking)).toBe(401);
    expect(await status(ranking, { headers: { authorization: `Bearer ${token}x` } })).toBe(401);
    const wrong = createClient({ baseUrl: link.origin }).call(routes.sessions.open, { body: { code: 'x' } });
    await expect(wrong).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('a page that reaches it under another name sees nothing, not even the app', async () => {
    const found = await new Promise<number | undefined>((resolve, reject) => {
      const { hostname: host, port } = link;
      request({ host, port, path: '/', headers: { host: `evil.example:${port}` } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once('error', reject)
        .end();
    });
    expect(found).toBe(404);
    expect(await status('/')).toBe(200);
  });

  test('the routes of the result pages have what the file holds', async () => {
    const params = { run_id: runId };
    const { items } = await client().call(routes.runs.ranking, { params });
    expect(items.map(({ name }) => name)).toEqual(['echo', 'mute']);
    const keysOf = async (q: string) => {
      const { items } = await client().call(routes.runs.attempts, { params, query: { q } });
      return [...new Set(items.map(({ case_key }) => case_key))];
    };
    expect(await keysOf('SE-1')).toEqual(['case-1']);
    expect(await keysOf('none')).toEqual([]);
    const attempts = await client().call(routes.runs.attempts, { params, query: { limit: 2 } });
    expect(attempts).toMatchObject({
      items: [{ case_key: 'case-1' }, { case_key: 'case-1' }],
      next_cursor: '2',
    });
    const attempt_id = attempts.items[0]?.id ?? '';
    const replay = await client().call(routes.attempts.replay, {
      params: { attempt_id },
      query: { limit: 1 },
    });
    expect(replay).toMatchObject({ items: [{ type: 'system.run', status: 'completed' }], next_cursor: '1' });
    const payload = { params: { attempt_id, sequence_number: '1' } };
    expect(await (await client().call(routes.attempts.payload, payload)).json()).toMatchObject({
      kind: 'scripted',
    });
    const ofType = async (event_type?: string) => {
      const query = event_type === undefined ? {} : { event_type, limit: 1 };
      const { items } = await client().call(routes.attempts.events, { params: { attempt_id }, query });
      return items.map((event) => event.event_type);
    };
    const last = (await ofType()).at(-1) ?? '';
    expect(await ofType(last)).toEqual([last]);
    expect(await ofType('grader.verification.file_captured')).toEqual([]);
    const lanes = { baseline_agent: 'echo', candidate_agent: 'mute' };
    const compared = await client().call(routes.comparisons.compare, {
      query: { baseline: runId, candidate: runId, ...lanes },
    });
    expect(compared.comparisons).toMatchObject([{ comparable: true, overall: { mean_difference: -1 } }]);
  });

  test('events come in order and end with the run, and nothing follows the last', async () => {
    const positions: number[] = [];
    for await (const { position } of client().events(runId)) positions.push(position);
    expect(positions.length).toBeGreaterThan(6);
    expect(positions).toEqual(positions.map((_, at) => at + 1));
    const address = `/v1/workspaces/results/runs/${runId}/events?after=${positions.length}`;
    expect(await status(address, { headers: { authorization: `Bearer ${token}` } })).toBe(204);
  });

  test('nothing can be changed, and what a file does not have is not found', async () => {
    const codes = await Promise.all(
      [
        client().call(routes.runs.cancel, { params: { run_id: runId } }),
        client().call(routes.secrets.list, {}),
        client().call(routes.attempts.get, { params: { attempt_id: runId } }),
        client().call(routes.runs.attempts, { params: { run_id: runId }, query: { limit: 'x' as never } }),
      ].map((call) => call.catch((error: unknown) => (error instanceof ApiError ? error.code : error))),
    );
    expect(codes).toEqual(['forbidden', 'not_found', 'not_found', 'invalid_input']);
  });

  test('a folder without a built app is refused', async () => {
    await expect(serveResults(folder.path('run.clash'), folder.path('none'))).rejects.toThrow(TypeError);
  });
});
