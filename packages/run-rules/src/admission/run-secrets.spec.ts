import type { WorkspaceTool } from '@agentclash/attempt-plan';
import type { EvaluationSpec, Manifest } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import { publish, wordPack } from '../testing/published-pack.js';
import { secretNeeds } from './run-secrets.js';

const KEY = /^workspace-secret:\/\/(.*)$/;
const connection = (key: string) => ({
  provider_account_id: key,
  provider_key: 'openai_compatible' as const,
  model: 'm',
  credential_reference: `workspace-secret://${key}`,
});
const pinned = { deployment_id: 'd', revision: 1, name: 'n', profile: null };
const tool = (key: string, lifecycle_status: WorkspaceTool['lifecycle_status']): WorkspaceTool => ({
  name: `tool-${key}`,
  tool_kind: 'composed',
  lifecycle_status,
  attached: true,
  definition: {
    implementation: {
      mode: 'delegate',
      primitive: 'http_request',
      args: { url: `https://a.example/?k=\${secrets.${key}}` },
    },
  },
});

test('each secret of a run is granted to its declarer only', () => {
  const { manifest } = publish(wordPack(1));
  const packTool = {
    name: 'lookup',
    description: 'd',
    parameters: {},
    implementation: { primitive: 'http_request', args: { url: 'https://b.example/${secrets.PACK}' } },
  };
  const packServer = {
    name: 'prices',
    url: 'https://prices.example.com',
    headers: { 'X-Key': '${secrets.SERVER}', 'X-Literal': '$${secrets.NONE}' },
  };
  const model: AgentSnapshot = {
    ...pinned,
    kind: 'model',
    config: connection('AGENT'),
    tools: [tool('TOOL', 'active'), tool('UNUSED', 'disabled')],
    denied_tools: [],
  };
  const scripted: AgentSnapshot = { ...pinned, kind: 'scripted', config: { steps: [] } };
  const models = {
    main: { alias: 'main', ...connection('MAIN') },
    small: { alias: 'small', ...connection('SMALL') },
  };
  const program: AgentSnapshot = { ...pinned, kind: 'program', config: { command: ['run'], models } };
  const served: AgentSnapshot = {
    ...scripted,
    mcp_servers: [
      { name: 'tickets', url: 'https://tickets.example.com', headers: { 'X-Key': '${secrets.TICKETS}' } },
    ],
  };
  const needs = secretNeeds({
    manifest: { ...manifest, tools: { custom: [packTool], mcp_servers: [packServer] } } as Manifest,
    spec: { llm_judges: [{ models: ['judge'] }] } as EvaluationSpec,
    packModels: { judge: connection('JUDGE'), user: connection('USER') },
    simulators: ['user'],
    agents: [model, scripted, program, served],
    secretKeyOf: (reference) => KEY.exec(reference)?.[1],
  });
  expect(needs).toEqual({
    everyone: ['PACK', 'SERVER', 'USER'],
    agents: [['AGENT', 'TOOL'], [], ['MAIN', 'SMALL'], ['TICKETS']],
    judges: ['JUDGE'],
  });
});
