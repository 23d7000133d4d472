import { expect, test } from '@jest/globals';
import { deployedAgent } from './deployed-agent.js';

test.each([
  [{ kind: 'model', config: { model_alias: 'fast' } }, 'model fast'],
  [{ kind: 'model', config: { provider_account_id: 'x', model: 'm-1' } }, 'model m-1'],
  [{ kind: 'program', config: { preset: 'codex', models: { main: 'gpt' } } }, 'codex, model gpt'],
  [{ kind: 'program', config: { preset: { name: 'own' }, models: { main: 'gpt' } } }, 'own, model gpt'],
  [{ kind: 'program', config: { command: ['python3', '/agent/main.py'] } }, 'python3 /agent/main.py'],
  [{ kind: 'endpoint', config: { url: 'https://agent.example' } }, 'https://agent.example'],
  [{ kind: 'scripted', config: { steps: [{ message: 'a' }] } }, '1 step'],
  [{ kind: 'scripted', config: { by_case: {}, steps: [] } }, 'steps by case'],
] as const)('a deployment is described by what it runs: %j', (deployment, text) => {
  expect(deployedAgent(deployment)).toBe(text);
});
