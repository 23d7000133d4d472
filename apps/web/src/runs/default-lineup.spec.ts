import { describe, expect, test } from '@jest/globals';
import { defaultLineup } from './default-lineup.js';

const deployments = [
  { id: '1', name: 'cheap' },
  { id: '2', name: 'claude' },
];
const manifest = (deployment_defaults: object) => ({ version: { number: 1, deployment_defaults } });

describe('the deployments that a start form begins with', () => {
  test('a start form begins with the deployments of the default lineup, aliases resolved, in its order', () => {
    const defaults = { aliases: { strong: 'claude' }, lineups: { default: ['strong', 'cheap'] } };
    expect(defaultLineup(manifest(defaults), deployments)).toEqual({ ids: ['2', '1'], missing: [] });
  });

  test('a start form names the members of the lineup that do not exist', () => {
    const defaults = { aliases: { strong: 'gone' }, lineups: { default: ['strong', 'cheap', 'small'] } };
    expect(defaultLineup(manifest(defaults), deployments)).toEqual({
      ids: ['1'],
      missing: ['gone (alias strong)', 'small'],
    });
  });

  test('the lineup is unknown without a default, and while the manifest is loading', () => {
    expect(defaultLineup(undefined, deployments)).toBeUndefined();
    expect(defaultLineup({ version: { number: 1 } }, deployments)).toBeUndefined();
    expect(defaultLineup(manifest({ lineups: { other: ['cheap'] } }), deployments)).toBeUndefined();
  });
});
