import { RunRequest } from '@agentclash/api';
import { describe, expect, test } from '@jest/globals';
import { EMPTY_DRAFT, readDraft, readLabels } from './run-draft.js';
import { EMPTY_STOP } from './stop-draft.js';

const ID = '01890000-0000-7000-8000-000000000000';

describe('a run as a form holds it', () => {
  test('an empty field is left out of the request', () => {
    expect(readDraft({ ...EMPTY_DRAFT, versionId: ID, deploymentIds: [ID] })).toEqual({
      request: { challenge_pack_version_id: ID, deployment_ids: [ID], repetitions: 1 },
    });
  });

  test('without a choice of deployments the request names none, so that the default lineup is raced', () => {
    expect(readDraft({ ...EMPTY_DRAFT, versionId: ID })).toEqual({
      request: { challenge_pack_version_id: ID, repetitions: 1 },
    });
  });

  test('a completed form makes a request that the server accepts', () => {
    const reading = readDraft({
      versionId: ID,
      inputSetId: ID,
      deploymentIds: [ID],
      variants: ['bare'],
      cases: 'peru\n\n chile \nperu',
      onlyFailedOf: ' ',
      name: ' nightly ',
      repetitions: '3',
      maxConcurrency: '4',
      modelCalls: 'record',
      replayFrom: ID,
      labels: 'branch = main\n\nurl=http://x/?a=b\n',
      hasRaceContext: true,
      stop: { ...EMPTY_STOP, isDecided: true, attempts: '60' },
      seed: '7',
    });
    expect(RunRequest.parse('request' in reading && reading.request)).toEqual({
      challenge_pack_version_id: ID,
      challenge_input_set_id: ID,
      deployment_ids: [ID],
      variants: ['bare'],
      case_keys: ['peru', 'chile'],
      name: 'nightly',
      repetitions: 3,
      max_concurrency: 4,
      labels: { branch: 'main', url: 'http://x/?a=b' },
      model_calls: 'record',
      race_context: true,
      stop_when: {
        decided: { goal: 'ranking', metric: 'pass', alpha: 0.05, margin: 0 },
        budget: { attempts: 60 },
      },
      seed: 7,
    });
  });

  test('a replay names its recorded run, and does not share race progress', () => {
    const draft = { ...EMPTY_DRAFT, versionId: ID, modelCalls: 'replay' as const, hasRaceContext: true };
    expect(readDraft({ ...draft, replayFrom: ID })).toEqual({
      request: {
        challenge_pack_version_id: ID,
        repetitions: 1,
        model_calls: 'replay',
        replay_from: ID,
      },
    });
  });

  test('a replay without a recorded run makes no request, and all problems are reported at once', () => {
    const draft = { ...EMPTY_DRAFT, versionId: ID, modelCalls: 'replay' as const, labels: 'nightly' };
    expect(readDraft(draft)).toEqual({
      problems: { replay_from: ['Choose the run to replay.'], labels: [expect.stringContaining('Line 1')] },
    });
  });

  test('labels that cannot be read make no request', () => {
    expect(readDraft({ ...EMPTY_DRAFT, versionId: ID, deploymentIds: [ID], labels: 'nightly' })).toEqual({
      problems: { labels: [expect.stringContaining('Line 1')] },
    });
  });
});

describe('labels as they were typed', () => {
  test('labels are one key=value a line; a value may hold "=" and may be empty', () => {
    expect(readLabels('branch = main\n\nurl=http://x/?a=b\nempty=\n')).toEqual({
      labels: { branch: 'main', url: 'http://x/?a=b', empty: '' },
    });
  });

  test('labels that are left empty are absent', () => {
    expect(readLabels(' \n\n')).toEqual({ labels: {} });
  });

  test.each([
    ['a=1\nnightly', 'Line 2, "nightly", has no "=" between a key and a value.'],
    ['=main', 'Line 1, "=main", has no key before its "=".'],
    ['a=1\n\n a =2', 'Line 3 gives "a" again, after line 1.'],
    [`${'k'.repeat(65)}=1`, `Line 1, "${'k'.repeat(40)} …", has a key of more than 64 characters.`],
    [`k=${'v'.repeat(257)}`, `Line 1, "k=${'v'.repeat(38)} …", has a value of more than 256 characters.`],
    ['k=a\tb', 'Line 1, "k=a\tb", holds a control character, such as a tab.'],
  ])('labels are refused with a sentence that names the line: %j', (text, problem) => {
    expect(readLabels(text)).toEqual({ problems: [problem] });
  });

  test('labels report the problems of all lines at once', () => {
    expect(readLabels('x\n=y\na=1\na=2')).toMatchObject({ problems: { length: 3 } });
  });

  test('labels are refused exactly where the server refuses them', () => {
    const isTaken = (labels: Record<string, string>) => RunRequest.shape.labels.safeParse(labels).success;
    for (const [key, value] of [
      ['k'.repeat(64), 'v'.repeat(256)],
      ['k'.repeat(65), 'v'],
      ['k', 'v'.repeat(257)],
      ['k\u0007', 'v'],
      ['k', 'v\ud800'],
    ] as const)
      expect('labels' in readLabels(`${key}=${value}`)).toBe(isTaken({ [key]: value }));
  });
});
