import { RunRequest } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { EMPTY_DRAFT, requestOf } from './run-draft.js';

const ID = '01890000-0000-7000-8000-000000000000';

describe('a run as a form holds it', () => {
  test('what is left empty is left out', () => {
    expect(requestOf({ ...EMPTY_DRAFT, versionId: ID, deploymentIds: [ID] })).toEqual({
      challenge_pack_version_id: ID,
      deployment_ids: [ID],
      repetitions: 1,
    });
  });

  test('all that can be filled in makes a request that the server takes', () => {
    const request = requestOf({
      versionId: ID,
      inputSetId: ID,
      deploymentIds: [ID],
      name: ' nightly ',
      repetitions: '3',
      maxConcurrency: '4',
      labels: 'branch = main\n\nurl=http://x/?a=b\n',
      hasRaceContext: true,
    });
    expect(RunRequest.parse(request)).toEqual({
      challenge_pack_version_id: ID,
      challenge_input_set_id: ID,
      deployment_ids: [ID],
      name: 'nightly',
      repetitions: 3,
      max_concurrency: 4,
      labels: { branch: 'main', url: 'http://x/?a=b' },
      race_context: true,
    });
  });
});
