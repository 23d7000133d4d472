import { reviews, scorecards, scoredRuns } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { JUDGED, votedSpec as spec } from '../testing/reviewed-specs.js';
import { ScoringFixture, type TestRun } from '../testing/scoring-fixture.js';

const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

describe('reviews by people', () => {
  let fixture: ScoringFixture;
  let version: string;

  beforeAll(async () => {
    fixture = await ScoringFixture.start({ database, nats });
    version = fixture.publish(spec());
  });
  afterAll(() => fixture.stop());

  const ws = () => ({ workspace_id: fixture.workspace_id });
  /** Two agents at two cases. */
  async function raced(of = version): Promise<TestRun> {
    const run = fixture.run(of);
    for (const case_key of ['peru', 'chile']) {
      run.add('Lima', { agent: 'secret-alpha', case_key });
      run.add('It is Santiago, I think.', { agent: 'secret-beta', case_key });
    }
    await fixture.complete(run);
    return run;
  }
  const create = ({ run_id }: TestRun, more: object = {}) =>
    fixture.bus.call(reviews.create, {
      ...ws(),
      request: { run_id, kind: 'pairwise', items_max: 100, repeat_share: 0, seed: 7, ...more },
      actor: 'owner',
    });
  type Queue = Awaited<ReturnType<typeof create>>;
  const of = ({ id }: Pick<Queue, 'id'>, actor = 'ann') => ({ ...ws(), review_queue_id: id, actor });
  const next = (queue: Queue, actor = 'ann', after?: string) =>
    fixture.bus.call(reviews.next, { ...of(queue, actor), ...(after && { after }) });
  const submit = (queue: Queue, item: { id: string; version: string }, review: object, actor = 'ann') =>
    fixture.bus.call(reviews.submit, {
      ...{ ...of(queue, actor), item_id: item.id },
      spec: { version: item.version, ...review },
    });
  /** Every item of the queue, reviewed by one rater. */
  async function reviewAll(queue: Queue, actor: string, review: (outputs: string[]) => object) {
    for (;;) {
      const { item } = await next(queue, actor);
      if (item === null) return;
      await submit(queue, item, review(item.outputs.map(({ text }) => text ?? '')), actor);
    }
  }
  const prefers = (text: string) => (outputs: string[]) => ({ vote: outputs[0] === text ? 'left' : 'right' });
  const rowsOf = async ({ run_id }: TestRun) =>
    await database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM scoring.reviews AS review
         JOIN scoring.review_items AS item ON item.id = review.item_id WHERE item.run_id = $1`,
      [run_id],
    );
  const applied = async (queue: Queue, run: TestRun) => {
    const rescore = await fixture.bus.call(reviews.apply, of(queue, 'owner'));
    return await waitFor(async () => {
      const ranking = await fixture.ranking(run);
      return ranking.rescore?.id === rescore.id && ranking.rescore.state === 'ready' ? ranking : undefined;
    });
  };
  const likedOf = async (run: TestRun) => {
    const cards = await Promise.all(run.attempts.map(({ attempt_id }) => fixture.card(attempt_id)));
    return cards.map(({ revision, scorecard }) => {
      const { dimensions } = scorecard as {
        dimensions: { key: string; state: string; score: number | null }[];
      };
      const liked = dimensions.find(({ key }) => key === 'liked');
      return { revision, state: liked?.state, score: liked?.score };
    });
  };

  test('an item shows task and outputs, and no agent, model, run or attempt, also not in ids', async () => {
    const run = await raced();
    const queue = await create(run, { repeat_share: 1 });
    expect(queue).toMatchObject({ items: 4, kind: 'pairwise', raters: [] });
    const secrets = [
      ...['secret-alpha', 'secret-beta', run.run_id, run.idOf('secret-alpha'), run.idOf('secret-beta')],
      ...run.attempts.map(({ attempt_id }) => attempt_id),
    ];
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const reply = await next(queue, 'ann', after);
      if (reply.item === null) break;
      expect(reply.item).toMatchObject({
        task: { title: 'Capital', instructions: 'Name it.' },
        review: null,
      });
      expect(reply.item.outputs.map(({ text }) => text).sort()).toEqual(['It is Santiago, I think.', 'Lima']);
      const shown = JSON.stringify([
        reply,
        await fixture.bus.call(reviews.item, { ...of(queue), item_id: reply.item.id }),
      ]);
      for (const secret of secrets) expect(shown).not.toContain(secret);
      const output = { ...of(queue), item_id: reply.item.id, output: 1, offset: 1 };
      expect((await fixture.bus.call(reviews.output, output)).text).toBe(
        reply.item.outputs[1]?.text?.slice(1),
      );
      seen.push(reply.item.id);
      after = reply.item.id;
    }
    expect(new Set(seen).size).toBe(4);
    // Random, unlike the ids of rows, whose order is that in which they were made.
    for (const id of seen) expect(id[14]).toBe('4');
  });

  test('votes become the dimension human_preference in a next revision, and a tie is half a win', async () => {
    const run = await raced();
    expect((await likedOf(run)).map(({ state }) => state)).toEqual(Array(4).fill('unavailable'));
    const queue = await create(run);
    await reviewAll(queue, 'ann', prefers('Lima'));
    await reviewAll(queue, 'ben', () => ({ vote: 'tie' }));
    const before = await fixture.ranking(run);
    const ranking = await applied(queue, run);
    expect(ranking.revision).toBe((before.revision ?? 0) + 1);
    expect(await likedOf(run)).toEqual(
      [0.75, 0.25, 0.75, 0.25].map((score) => ({ revision: 2, state: 'available', score })),
    );
    // Neither of them changes what the votes are.
    await fixture.bus.call(scorecards.rescore, { ...ws(), run_id: run.run_id, actor: 'owner' });
    await waitFor(async () =>
      (await likedOf(run)).every(({ revision }) => revision === 3) ? true : undefined,
    );
    expect((await likedOf(run)).map(({ score }) => score)).toEqual([0.75, 0.25, 0.75, 0.25]);
  });

  test('a repeated score job after votes keeps the newest scorecard', async () => {
    const run = await raced();
    const queue = await create(run);
    await reviewAll(queue, 'ann', prefers('Lima'));
    await applied(queue, run);
    const [first] = run.attempts;
    if (first === undefined) throw new Error('no attempt');
    expect((await fixture.score(run, first)).revision).toBe(2);
  });

  test('the newest review of a rater counts, a repeated one is stored once, and a withdrawn one not at all', async () => {
    const run = await raced();
    const queue = await create(run);
    const { item } = await next(queue);
    if (item === null) throw new Error('no item');
    const first = await submit(queue, item, { vote: 'left', note: 'clearer' });
    expect(first).toMatchObject({ reviewed: 1, items: 2, review: { vote: 'left', note: 'clearer' } });
    expect(await submit(queue, item, { vote: 'left', note: 'clearer' })).toEqual(first);
    expect(await rowsOf(run)).toEqual([{ n: 1 }]);
    const described = await fixture.bus.call(reviews.get, of(queue));
    expect(described.raters).toEqual([{ rater: 'ann', reviewed: 1 }]);
    await submit(queue, item, { vote: 'tie' });
    const again = { ...of(queue), item_id: item.id };
    expect((await fixture.bus.call(reviews.item, again)).review).toMatchObject({ vote: 'tie', note: null });
    await fixture.bus.call(reviews.withdraw, again);
    await fixture.bus.call(reviews.withdraw, again);
    expect((await fixture.bus.call(reviews.item, again)).review).toBeNull();
    const page = { ...of(queue), limit: 50 };
    expect((await fixture.bus.call(reviews.stored, { ...page, history: false })).items).toEqual([]);
    const history = await fixture.bus.call(reviews.stored, { ...page, history: true });
    expect(history.items.map(({ vote, is_withdrawn, is_newest }) => [vote, is_withdrawn, is_newest])).toEqual(
      [
        ['left', false, false],
        ['tie', false, false],
        ['tie', true, true],
      ],
    );
    await expect(fixture.bus.call(reviews.apply, of(queue))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no vote'),
    });
  });

  test('twenty equal reviews at once are stored once', async () => {
    const run = await raced();
    const queue = await create(run);
    const { item } = await next(queue);
    if (item === null) throw new Error('no item');
    await Promise.all(Array.from({ length: 20 }, () => submit(queue, item, { vote: 'left' })));
    expect(await rowsOf(run)).toEqual([{ n: 1 }]);
  });

  test('raters see the items in orders and on sides of their own, which stay', async () => {
    const run = await raced();
    const queue = await create(run, { repeat_share: 1 });
    const views = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { item } = await next(queue, `rater ${index}`);
        return JSON.stringify([item?.id, item?.outputs[0]?.text]);
      }),
    );
    expect(new Set(views).size).toBeGreaterThan(1);
    const { item } = await next(queue, 'rater 3');
    expect(JSON.stringify([item?.id, item?.outputs[0]?.text])).toBe(views[3]);
  });

  test('an item that was passed over comes again from the start', async () => {
    const run = await raced();
    const queue = await create(run);
    const { item: first } = await next(queue);
    const { item: second } = await next(queue, 'ann', first?.id);
    expect(second?.id).not.toBe(first?.id);
    expect(await next(queue, 'ann', second?.id)).toMatchObject({ item: null, reviewed: 0, items: 2 });
    expect((await next(queue)).item?.id).toBe(first?.id);
  });

  test('outputs that were run again are refused with the version of the earlier ones, and keep their votes to themselves', async () => {
    const run = await raced();
    const queue = await create(run);
    await reviewAll(queue, 'ann', prefers('Lima'));
    const { item } = await next(queue, 'ben');
    if (item === null) throw new Error('no item');
    for (const attempt of run.attempts) attempt.isFinished = false;
    await expect(submit(queue, item, { vote: 'left' }, 'ben')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('run again'),
    });
    for (const attempt of run.attempts) Object.assign(attempt, { isFinished: true, delivery: 2 });
    await expect(submit(queue, item, { vote: 'left' }, 'ben')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Load the item again'),
    });
    await applied(queue, run);
    expect((await likedOf(run)).map(({ state }) => state)).toEqual(Array(4).fill('unavailable'));
    const { item: renewed } = await next(queue, 'ben');
    expect(renewed?.version).not.toBe(item.version);
  });

  test('a pack without the dimension gives agreement only, and the error names the next step', async () => {
    const run = await raced(
      fixture.publish(spec({ scorecard: { dimensions: ['correctness'], pass_threshold: 1 } })),
    );
    const queue = await create(run);
    await reviewAll(queue, 'ann', prefers('Lima'));
    await expect(fixture.bus.call(reviews.apply, of(queue))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no dimension of source human_preference'),
    });
    const agreement = await fixture.bus.call(reviews.agreement, of(queue));
    expect(agreement).toMatchObject({
      ...{ items: 2, reviewed_items: 2, reviews: 2, can_apply: false },
      preferences: [
        { agent: 'secret-alpha', wins: 2, votes: 2 },
        { agent: 'secret-beta', wins: 0, votes: 2 },
      ],
    });
  });

  test('single outputs are compared with the judges of the pack, whose criteria are shown', async () => {
    const judged = fixture.publish(JUDGED);
    const run = fixture.run(judged);
    for (const agent of ['secret-alpha', 'secret-beta']) {
      const output = agent === 'secret-alpha' ? 'Lima' : 'Quito';
      for (const case_key of ['peru', 'chile']) run.add(output, { agent, case_key });
    }
    for (const { attempt_id, agent, case_key, output } of run.attempts) {
      const score = output === 'Lima' ? 1 : 0.5;
      const judges = [{ key: 'clear', mode: 'rubric', score, samples: [{ reply: '\u0000 \ud83d' }] }];
      await database.query(
        `INSERT INTO scoring.attempt_scorecards (attempt_id, revision, workspace_id, run_id, run_agent_id, case_key,
           repetition, evaluation_spec_id, spec_hash, evidence_hash, scorecard, attempt_end)
         VALUES ($1, 1, $2, $3, $4, $5, 1, $6, '', '', $7, '{"attempt":{"outcome":"completed"}}')`,
        [
          ...[attempt_id, fixture.workspace_id, run.run_id, run.idOf(agent), case_key, judged],
          JSON.stringify({ judges }),
        ],
      );
    }
    const queue = await create(run, { kind: 'single' });
    expect(queue.items).toBe(4);
    const { item } = await next(queue);
    expect(item?.criteria).toEqual([
      { key: 'clear', mode: 'rubric', text: 'Is it clear?', min: 1, max: 5 },
      { key: 'rude', mode: 'assertion', text: 'It is rude.', min: 0, max: 1 },
    ]);
    for (const rater of ['ann', 'ben']) {
      await reviewAll(queue, rater, ([text]) => ({
        label: text === 'Lima' ? 'pass' : 'fail',
        scores: { clear: text === 'Lima' ? 5 : rater === 'ann' ? 1 : 2, rude: 0 },
      }));
    }
    const { people, judges, preferences } = await fixture.bus.call(reviews.agreement, of(queue));
    expect(people).toMatchObject({
      alpha: 1,
      criteria: [
        { key: 'clear', ordinal: expect.closeTo(0.78, 1) },
        { key: 'rude', ordinal: null },
      ],
      pairs: [{ raters: ['ann', 'ben'], items: 4, agreement: 1, kappa: 1 }],
    });
    expect(judges).toEqual([
      {
        ...{ key: 'clear', mode: 'rubric', items: 4, undecided: 0, accuracy: 1, tpr: 1, tnr: 1 },
        flips: null,
      },
      {
        ...{ key: 'rude', mode: 'assertion', items: 0, undecided: 0, accuracy: null, tpr: null, tnr: null },
        flips: null,
      },
    ]);
    expect(preferences).toEqual([]);
    if (item === null) throw new Error('no item');
    const refused = async (review: object, fields: string[]) =>
      await expect(submit(queue, item, review)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { errors: fields.map((field) => expect.objectContaining({ field })) },
      });
    await refused({}, ['label']);
    await refused({ label: 'pass', vote: 'left' }, ['vote']);
    await refused({ label: 'pass', scores: { clear: 6, rude: 0.5, kind: 1 } }, [
      ...['scores.clear', 'scores.rude', 'scores.kind'],
    ]);
  });

  test('a long output is cut, and the rest is read by offset without parting a character', async () => {
    const run = fixture.run(version);
    const long = `a${'😀'.repeat(40_000)}`;
    run.add(long, { agent: 'secret-alpha' });
    run.add('Lima', { agent: 'secret-beta' });
    await fixture.complete(run);
    const queue = await create(run);
    const { item } = await next(queue);
    const number = item?.outputs.findIndex(({ length }) => length === long.length) ?? 0;
    let text = item?.outputs[number]?.text ?? '';
    let offset = item?.outputs[number]?.next_offset ?? null;
    while (offset !== null) {
      expect(text.isWellFormed()).toBe(true);
      const more = await fixture.bus.call(reviews.output, {
        ...{ ...of(queue), item_id: item?.id ?? '', output: number, offset },
      });
      text += more.text;
      offset = more.next_offset;
    }
    expect(text).toBe(long);
  });

  test('what is not there, not over or not reviewable is refused with the next step', async () => {
    const run = await raced();
    const queue = await create(run);
    const { item } = await next(queue);
    const elsewhere = { ...of(queue), workspace_id: newId() };
    const gone = { code: 'not_found' };
    await expect(fixture.bus.call(reviews.get, elsewhere)).rejects.toMatchObject(gone);
    await expect(
      fixture.bus.call(reviews.item, { ...elsewhere, item_id: item?.id ?? '' }),
    ).rejects.toMatchObject(gone);
    await expect(next(queue, 'ann', newId())).rejects.toMatchObject(gone);
    await expect(submit(queue, { id: newId(), version: 'x' }, { vote: 'left' })).rejects.toMatchObject(gone);
    await expect(
      submit(queue, { id: item?.id ?? '', version: 'x' }, { vote: 'left', label: 'pass' }),
    ).rejects.toMatchObject({ code: 'invalid_input', details: { errors: [{ field: 'label' }] } });
    const going = fixture.run(version);
    going.add('Lima', { isFinished: false });
    await expect(create(going)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('has not ended'),
    });
    const alone = fixture.run(version);
    alone.add('Lima');
    await fixture.complete(alone);
    await expect(create(alone)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('--kind single'),
    });
  });

  test('a deleted run takes its queues along, and a late review of it is refused', async () => {
    const run = await raced();
    const queue = await create(run);
    const { item } = await next(queue);
    if (item === null) throw new Error('no item');
    await submit(queue, item, { vote: 'left' });
    await fixture.bus.call(scoredRuns.release, { ...ws(), run_id: run.run_id });
    const gone = { code: 'not_found' };
    await expect(submit(queue, item, { vote: 'right' })).rejects.toMatchObject(gone);
    await expect(create(run)).rejects.toMatchObject(gone);
    const listed = await fixture.bus.call(reviews.list, { ...ws(), limit: 50, run_id: run.run_id });
    expect(listed.items).toEqual([]);
    const attempt_ids = run.attempts.map(({ attempt_id }) => attempt_id);
    await fixture.bus.call(scoredRuns.purge, { ...ws(), run_id: run.run_id, attempt_ids });
    expect(await rowsOf(run)).toEqual([{ n: 0 }]);
  });
});
