import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readManifest } from './read-manifest.js';

describe('what is shown of a manifest', () => {
  test('tasks, scoring, tools and policies of a manifest are found in their places', () => {
    const parts = readManifest({
      challenges: [
        { key: 'a', title: 'A', category: 'x', difficulty: 'easy', definition: { instructions: 'Do.' } },
      ],
      evaluation_spec: {
        validators: [{ key: 'v', type: 'exact_match', target: 'final_output' }],
        scorecard: {
          strategy: 'weighted',
          dimensions: [{ key: 'd', source: 'validators', weight: 2, gate: true }],
        },
      },
      tools: {
        custom: [{ name: 't', description: 'T', implementation: { primitive: 'http_request' } }],
        mcp_servers: [
          { name: 'units', command: ['python3', '/mcp/units/server.py'] },
          { name: 'tickets', url: 'https://tickets.example.com/mcp' },
        ],
      },
      sandbox: { network_access: true },
    });
    expect(parts).toMatchObject({
      challenges: [{ key: 'a', instructions: 'Do.' }],
      validators: [{ key: 'v', type: 'exact_match' }],
      dimensions: [{ key: 'd', weight: '2', isGate: true }],
      strategy: 'weighted',
      tools: [
        { name: 't', does: 'http_request' },
        { name: 'units__*', does: 'MCP server: python3 /mcp/units/server.py' },
        { name: 'tickets__*', does: 'MCP server: https://tickets.example.com/mcp' },
      ],
      policies: [{ name: 'sandbox' }],
    });
  });

  test('any JSON that a server sends is read without an error', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('challenges', 'evaluation_spec', 'tools'), fc.jsonValue()),
        (manifest) => {
          readManifest(manifest);
        },
      ),
    );
  });
});
