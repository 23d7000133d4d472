import path from 'node:path';
import { migrate, newId } from '@agentclash/service-kit';
import { freshDatabase } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database, SCHEMA } from '../database.js';
import { ScorecardsStore } from '../store/scorecards.store.js';

const database = await freshDatabase();
const db = new Database({ DATABASE_URL: database.url, DATABASE_CONNECTIONS_MAX: 2 });
const store = new ScorecardsStore(db);
const workspaceId = newId();

beforeAll(async () => {
  const folder = path.resolve(import.meta.dirname, '../../prisma');
  await migrate({ databaseUrl: database.url, schema: SCHEMA, folder });
});
afterAll(async () => await db.$disconnect());

/** Stores a scorecard of about so many bytes. */
async function stored(note: string, { attemptId = newId(), bytes = 10 } = {}): Promise<string> {
  const scorecard = JSON.stringify({ note, filling: 'x'.repeat(bytes) });
  await store.addAttempts([
    {
      ...{ attemptId, workspaceId, runId: newId(), runAgentId: newId(), evaluationSpecId: newId() },
      ...{
        caseKey: 'c',
        repetition: 1,
        specHash: note,
        evidenceHash: 'e',
        attemptEnd: '{}',
        rescoreId: null,
      },
      result: { scorecard },
    },
  ]);
  return attemptId;
}

const notesOf = (cards: Awaited<ReturnType<ScorecardsStore['findAttempts']>>) =>
  cards.map(({ state, scorecard }) => [state, scorecard?.note]);

describe('the scorecards of several attempts', () => {
  test('scorecards come in the order of the ids, in their newest revision, and pending where there is none', async () => {
    const first = await stored('first');
    const second = await stored('second, before');
    await stored('second', { attemptId: second });
    const unscored = newId();
    const cards = await store.findAttempts(workspaceId, [second, unscored, first]);
    expect(cards.map(({ attempt_id }) => attempt_id)).toEqual([second, unscored, first]);
    expect(notesOf(cards)).toEqual([
      ['ready', 'second'],
      ['pending', undefined],
      ['ready', 'first'],
    ]);
  });

  test('a page of scorecards ends at 2 MiB, and a larger scorecard comes alone', async () => {
    const ids = await Promise.all(['a', 'b', 'c'].map((note) => stored(note, { bytes: 1_000_000 })));
    expect(notesOf(await store.findAttempts(workspaceId, ids))).toEqual([
      ['ready', 'a'],
      ['ready', 'b'],
    ]);
    const large = await stored('large', { bytes: 3_000_000 });
    expect(notesOf(await store.findAttempts(workspaceId, [large, ...ids]))).toEqual([['ready', 'large']]);
  });

  test('scorecards are pending for another workspace', async () => {
    const id = await stored('theirs');
    expect(notesOf(await store.findAttempts(newId(), [id]))).toEqual([['pending', undefined]]);
  });
});
