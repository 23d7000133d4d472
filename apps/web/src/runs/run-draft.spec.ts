import { RunRequest } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { EMPTY_DRAFT, readDraft } from './run-draft.js';

const ID = '01890000-0000-7000-8000-000000000000';

describe('a run as a form holds it', () => {
  test('what is left empty is left out', () => {
    expect(readDraft({ ...EMPTY_DRAFT, versionId: ID, deploymentIds: [ID] })).toEqual({
      request: { challenge_pack_version_id: ID, deployment_ids: [ID], repetitions: 1 },
    });
  });

  test('without a choice of deployments the request names none, so that the default lineup is raced', () => {
    expect(readDraft({ ...EMPTY_DRAFT, versionId: ID })).toEqual({
      request: { challenge_pack_version_id: ID, repetitions: 1 },
    });
  });

  test('all that can be filled in makes a request that the server takes', () => {
    const reading = readDraft({
      versionId: ID,
      inputSetId: ID,
      deploymentIds: [ID],
      cases: 'peru\n\n chile \nperu',
      onlyFailedOf: ' ',
      name: ' nightly ',
      repetitions: '3',
      maxConcurrency: '4',
      labels: 'branch = main\n\nurl=http://x/?a=b\n',
      hasRaceContext: true,
    });
    expect(RunRequest.parse('request' in reading && reading.request)).toEqual({
      challenge_pack_version_id: ID,
      challenge_input_set_id: ID,
      deployment_ids: [ID],
      case_keys: ['peru', 'chile'],
      name: 'nightly',
      repetitions: 3,
      max_concurrency: 4,
      labels: { branch: 'main', url: 'http://x/?a=b' },
      race_context: true,
    });
  });

  test('labels that cannot be read make no request', () => {
    expect(readDraft({ ...EMPTY_DRAFT, versionId: ID, deploymentIds: [ID], labels: 'nightly' })).toEqual({
      labelProblems: [expect.stringContaining('Line 1')],
    });
  });
});
