import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const program = path.resolve(import.meta.dirname, '../../../../examples/capitals-agent.mjs');

describe('the example agent behind a url', () => {
  let agent: ChildProcess;
  let url = '';

  beforeAll(async () => {
    agent = spawn(process.execPath, [program, '--port', '0', '--token', 't'], { stdio: 'pipe' });
    const [output] = agent.stdout === null ? [] : await once(agent.stdout, 'data');
    url = /http:\S+/.exec(String(output))?.[0] ?? '';
  });
  afterAll(() => {
    agent.kill();
  });

  const post = (body: string, token = 't') =>
    fetch(url, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } });
  const task = { schema: 'agentclash.task/1', payload: { country: 'Peru' } };

  test('the example agent replies to a task in the agreed form', async () => {
    expect(await (await post(JSON.stringify(task))).json()).toMatchObject({ output: 'Lima' });
    const unknown = { ...task, payload: { country: 'toString' } };
    expect(await (await post(JSON.stringify(unknown))).json()).toMatchObject({ output: 'I do not know.' });
  });

  test('the example agent refuses unknown callers and invalid tasks', async () => {
    expect((await post(JSON.stringify(task), 'x')).status).toBe(401);
    expect((await post('{"a":')).status).toBe(400);
  });
});
