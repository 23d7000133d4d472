import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';

const NAME = 'small-coder';
const REPLY = 'It is 5.';

/** Calls its model once, and tries to change its own package. */
const PROGRAM = `
import json, os, sys, urllib.request
body = {'model': os.environ['MODEL'], 'stream': True, 'messages': [{'role': 'user', 'content': sys.stdin.read()}]}
request = urllib.request.Request(os.environ['BASE'] + '/chat/completions', json.dumps(body).encode(), {
    'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['KEY']})
text = ''
for line in urllib.request.urlopen(request):
    if line.startswith(b'data: {'):
        for choice in json.loads(line[6:])['choices']:
            text += choice['delta'].get('content') or ''
try:
    open(os.path.join(os.path.dirname(__file__), 'changed'), 'w')
    text += ' writable'
except OSError:
    text += ' read-only'
print(json.dumps({'type': 'result', 'text': text}))
`;

/** A coding agent of one npm package, with the registry that has the package and the provider of its model. */
export class CodingAgent {
  readonly name = NAME;
  /** The output of an attempt whose sandbox can read the package and not write it. */
  readonly output = `${REPLY} read-only`;

  private constructor(
    private readonly registry: Server,
    private readonly models: ScriptedModel,
    private readonly integrity: string,
  ) {}

  static async start(folder: string): Promise<CodingAgent> {
    const archive = packed(path.join(folder, 'packages'));
    const registry = createServer((request, response) => {
      if (request.url === `/${NAME}/-/${NAME}-1.0.0.tgz`) response.end(archive);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const models = await scriptedModel(() => ({ text: REPLY }));
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    return new CodingAgent(registry, models, integrity);
  }

  /** The address of the registry, for executors. */
  get registryUrl(): string {
    return `http://127.0.0.1:${(this.registry.address() as AddressInfo).port}`;
  }

  /** The agent as the content of a deployment file. */
  deployment(): object {
    const preset = {
      name: NAME,
      title: 'Small coder',
      wires: ['chat'],
      command: ['python3', `{{packages}}/${NAME}/main.py`],
      stdin: '{{prompt}}',
      env: { BASE: '{{url}}/v1', KEY: '{{token}}', MODEL: '{{model}}' },
      packages: [{ name: NAME, version: '1.0.0', integrity: this.integrity }],
      final_output: { from: 'last_json_line', where: { type: 'result' }, path: ['text'] },
    };
    return {
      provider_accounts: [{ name: 'local', provider_key: 'openai_compatible', base_url: this.models.url }],
      model_aliases: [{ name: 'main', provider_account: 'local', model: 'm' }],
      deployments: [{ name: NAME, kind: 'program', config: { preset, models: { main: 'main' } } }],
    };
  }

  async close(): Promise<void> {
    this.registry.closeAllConnections();
    this.registry.close();
    await this.models.close();
  }
}

/** The archive of the package, as a registry serves it. */
function packed(folder: string): Buffer {
  mkdirSync(path.join(folder, 'package'), { recursive: true });
  writeFileSync(path.join(folder, 'package', 'main.py'), PROGRAM);
  const archive = path.join(folder, 'package.tgz');
  execFileSync('tar', ['--create', '--gzip', '--file', archive, '--directory', folder, 'package']);
  return readFileSync(archive);
}
