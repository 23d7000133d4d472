import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parsePreset } from '@agentclash/agent-presets';
import { type BubblewrapProvider, createBubblewrapProvider } from '@agentclash/sandbox';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkPreset } from './check-preset.js';

/** An agent with one shell; BREAK names what it does wrong. */
const AGENT = `
import json, os, subprocess, sys, urllib.request
broken = os.environ.get('BREAK', '')
if broken == 'start': sys.exit('no settings')
rules = open(os.path.expanduser('~/.mini/RULES.md')).read()
if broken == 'instructions': rules = ''
prompt = '' if broken == 'task' else sys.stdin.read()
shell = {'type': 'function', 'function': {'name': 'bash', 'parameters': {'type': 'object', 'properties': {'command': {'type': 'string'}}}}}
messages = [{'role': 'system', 'content': rules}, {'role': 'user', 'content': prompt}]
def call():
    body = {'model': 'x', 'messages': messages, **({} if broken == 'tools' else {'tools': [shell]})}
    request = urllib.request.Request(os.environ['BASE'] + '/chat/completions', json.dumps(body).encode(), {
        'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['KEY']})
    return json.load(urllib.request.urlopen(request))['choices'][0]['message']
while True:
    message = call()
    messages.append(message)
    if not message.get('tool_calls'): break
    for tool in message['tool_calls']:
        command = 'true' if broken == 'edits' else json.loads(tool['function']['arguments'])['command']
        done = subprocess.run(command, shell=True, capture_output=True, text=True)
        messages.append({'role': 'tool', 'tool_call_id': tool['id'], 'content': done.stdout + done.stderr})
print(json.dumps({'type': 'other' if broken == 'output' else 'result', 'text': message['content']}))
sys.exit(3 if broken == 'exit' else 0)
`;

const PACKAGES = `packages: [{ name: mini, version: 1.0.0, integrity: sha512-${'A'.repeat(86)}== }]`;

const preset = (broken: string, { main = '{{packages}}/main.py', packages = PACKAGES } = {}) =>
  parsePreset(
    `
name: mini
title: Mini
wires: [chat]
command: [/usr/bin/python3, '${main}']
stdin: '{{prompt}}'
env: { BASE: '{{url}}/v1', KEY: '{{token}}', BREAK: '${broken}' }
${packages}
instructions: { file: '{{home}}/.mini/RULES.md' }
final_output: { from: last_json_line, where: { type: result }, path: [text] }
`,
    'mini.yaml',
  );

let folder: string;
let sandboxes: BubblewrapProvider;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'preset-check-'));
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, 'packages'));
  writeFileSync(path.join(folder, 'packages', 'main.py'), AGENT);
  sandboxes = await createBubblewrapProvider({
    stateDir: path.join(folder, 'state'),
    cgroupName: path.basename(folder),
  });
});
afterAll(async () => {
  await sandboxes.close();
  rmSync(folder, { recursive: true, force: true });
});

const check = (broken: string) =>
  checkPreset(preset(broken), {
    sandboxes,
    signal: new AbortController().signal,
    directories: async () => [
      { source: path.join(folder, 'packages'), path: '/opt/agents/mini/node_modules' },
    ],
  });

describe('The check of a preset', () => {
  test('The check of a preset that works has no problem', async () => {
    const checks = await check('');
    expect(checks.map(({ key, state }) => `${key} ${state}`)).toEqual([
      'starts ok',
      'model ok',
      'task ok',
      'instructions ok',
      'edits ok',
      'output ok',
      'exit ok',
    ]);
    expect(checks.find(({ key }) => key === 'model')?.detail).toBe('3 requests in the API chat');
  });

  test.each([
    [
      'start',
      ['starts', 'model', 'task', 'instructions', 'output', 'exit'],
      /ended with the exit code 1.*no settings/s,
    ],
    ['task', ['task'], /has to contain \{\{prompt\}\}/],
    ['instructions', ['instructions'], /does not read \{\{home\}\}\/\.mini\/RULES\.md/],
    ['edits', ['edits'], /no result of a command came back; its tools: bash/],
    ['output', ['output'], /final_output \(last_json_line\) is empty/],
    ['exit', ['exit'], /exited with 3 after \d/],
  ])('The check of a preset finds what does not work: %s', async (broken, problems, detail) => {
    const checks = await check(broken);
    expect(checks.flatMap(({ key, state }) => (state === 'problem' ? [key] : []))).toEqual(problems);
    const [first] = problems;
    expect(checks.find(({ key }) => key === first)?.detail).toMatch(detail);
  });

  test('The check of a preset without tools does not claim that it edits files', async () => {
    const checks = await check('tools');
    expect(checks.find(({ key }) => key === 'edits')).toMatchObject({ state: 'unknown' });
    expect(checks.filter(({ state }) => state === 'problem')).toEqual([]);
  });

  test('A preset whose program is a file of its deployment is checked with that file', async () => {
    const own = preset('', { main: '/agent/src/main.py', packages: '' });
    const checks = await checkPreset(own, {
      sandboxes,
      signal: new AbortController().signal,
      directories: async () => [],
      files: new Map([['src/main.py', Buffer.from(AGENT)]]),
    });
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([]);
  });
});
