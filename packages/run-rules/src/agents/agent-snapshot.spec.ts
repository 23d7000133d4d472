import type { Deployment, Tool } from '@agentclash/contracts';
import { expect, test } from '@jest/globals';
import { ModelCatalog } from '../models/model-catalog.js';
import { artifactIdsOf, pinnedTools, snapshotOf } from './agent-snapshot.js';

const at = new Date(0).toISOString();
const tool = (name: string, to: string[], lifecycle_status: Tool['lifecycle_status'] = 'active'): Tool => ({
  id: `id-${name}`,
  name,
  tool_kind: 'composed',
  lifecycle_status,
  definition: { steps: to.map((ref, n) => ({ id: `s${n}`, ref: { type: 'tool', name: ref }, inputs: {} })) },
  created_at: at,
  updated_at: at,
});

test('a run pins the attached tools and all that they lead to, also inactive ones, and nothing else', () => {
  const all = [
    tool('a', ['b']),
    tool('b', ['c', 'read_file']),
    tool('c', ['a'], 'disabled'),
    tool('d', ['a']),
  ];
  expect(
    pinnedTools(['id-a'], all).map(({ name, attached, lifecycle_status }) => [
      name,
      attached,
      lifecycle_status,
    ]),
  ).toEqual([
    ['a', true, 'active'],
    ['b', false, 'active'],
    ['c', false, 'disabled'],
  ]);
});

test('A run pins the files of a program, of its skills and of its servers by content', () => {
  const file = (id: string) => ({ path: 'SKILL.md', artifact_id: id });
  const deployment: Deployment = {
    id: 'd',
    name: 'coder',
    kind: 'program',
    revision: 1,
    runtime_profile_id: null,
    config: {
      preset: 'codex',
      files: [file('own')],
      skills: [{ name: 'brief', files: [file('skill')] }],
      mcp_servers: [
        { name: 'math', command: ['python3'], files: [file('server')] },
        { name: 'tickets', url: 'https://tickets.example.com', headers: { 'X-Key': '${secrets.TICKETS}' } },
      ],
    },
    status: 'active',
    created_at: at,
    updated_at: at,
  };
  expect(artifactIdsOf(deployment)).toEqual(['own', 'skill', 'server']);
  const stored = (artifact_id: string) => ({ artifact_id, sha256: `sha of ${artifact_id}`, bytes: 1 });
  const snapshot = snapshotOf(
    { deployment },
    {
      profile: undefined,
      artifacts: new Map(['own', 'skill', 'server'].map((id) => [id, stored(id)])),
      resources: { models: new ModelCatalog([], []), tools: [] },
    },
  );
  expect(snapshot.config).toMatchObject({
    preset: { skills: [{ name: 'brief', files: [{ path: 'SKILL.md', artifact: stored('skill') }] }] },
  });
  expect(snapshot.config).not.toHaveProperty('mcp_servers');
  expect(snapshot.mcp_servers).toEqual([
    { name: 'math', command: ['python3'], files: [{ path: 'SKILL.md', artifact: stored('server') }] },
    { name: 'tickets', url: 'https://tickets.example.com', headers: { 'X-Key': '${secrets.TICKETS}' } },
  ]);
});
