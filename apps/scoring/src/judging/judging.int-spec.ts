import { type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ScoringFixture } from '../testing/scoring-fixture.js';

const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);

const ENVIRONMENT = { OPERATOR_UNLOCK: '127.0.0.0/8', CREDENTIALS_ENV: 'allow', JUDGE_KEY: 'jk-7f3a/9c+21' };
const SPEC = {
  name: 'tone',
  version_number: 1,
  judge_mode: 'llm_judge',
  scorecard: { dimensions: [{ key: 'tone', source: 'llm_judge', judge_key: 'tone' }], pass_threshold: 0.5 },
};
const RUBRIC = { key: 'tone', mode: 'rubric', model: 'alias:judge', rubric: 'Courteous?', samples: 2 };
const RANKING = { key: 'tone', mode: 'n_wise', model: 'alias:judge', prompt: 'Which is best?', samples: 2 };

describe('judges', () => {
  let fixture: ScoringFixture;
  let provider: ScriptedModel;

  beforeAll(async () => {
    provider = await scriptedModel();
    fixture = await ScoringFixture.start({ database, nats, environment: ENVIRONMENT });
    const connection = {
      provider_account_id: newId(),
      provider_key: 'openai_compatible',
      base_url: provider.url,
    };
    fixture.packModels = {
      'alias:judge': { ...connection, model: 'm' },
      'alias:keyed': { ...connection, model: 'm', credential_reference: 'env://JUDGE_KEY' },
    };
  });
  afterEach(() => provider.follow({ text: 'ok' }));
  afterAll(async () => {
    await fixture.stop();
    await provider.close();
  });

  const judgeOf = async (attempt: string) => {
    const { scorecard } = await fixture.card(attempt);
    return (scorecard?.judges as object[] | undefined)?.[0];
  };

  test('a rubric is sampled as often as planned, and every sample is stored with its reply and cost', async () => {
    provider.follow({ text: '{"score": 4, "reasoning": "kind"}' });
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [RUBRIC] }));
    const attempt = run.add(`Dear all ${newId()}`);
    expect(await fixture.score(run, attempt)).toMatchObject({
      overall: 0.75,
      passed: true,
      validity: 'valid',
    });
    const sample = { state: 'scored', score: 0.75, tries: 1, cached: false, usage: { input: 10, output: 5 } };
    expect(await judgeOf(attempt.attempt_id)).toMatchObject({
      score: 0.75,
      planned: 2,
      scored: 2,
      samples: [sample, sample],
    });
  });

  test('a credential that a provider returns in its reply is redacted', async () => {
    provider.follow(({ headers: { authorization = '' } }) => {
      const forms = [authorization, encodeURIComponent(authorization), btoa(authorization)];
      return { text: JSON.stringify({ score: 4, reasoning: forms.join(' ') }) };
    });
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [{ ...RUBRIC, model: 'alias:keyed' }] }));
    const attempt = run.add(`Dear all ${newId()}`);
    expect(await fixture.score(run, attempt)).toMatchObject({ overall: 0.75 });
    const scored = JSON.stringify(await judgeOf(attempt.attempt_id));
    expect(scored).toContain('Bearer [redacted:JUDGE_KEY] Bearer%20[redacted:JUDGE_KEY]');
    expect(scored).not.toContain(ENVIRONMENT.JUDGE_KEY);
    expect(scored).not.toContain(btoa(ENVIRONMENT.JUDGE_KEY).slice(4, -4));
    const kept = JSON.stringify(await database.query('SELECT * FROM scoring.judge_replies'));
    expect(kept).not.toContain(ENVIRONMENT.JUDGE_KEY);
  });

  test('a known reply is not requested again, for the same attempt nor for another with the same output', async () => {
    provider.follow({ text: '{"score": 5}' });
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [RUBRIC] }));
    const output = `Dear all ${newId()}`;
    const [first, second] = [run.add(output), run.add(output, { agent: 'other' })];
    await fixture.score(run, first);
    const requestsBefore = provider.requests.length;
    expect(await fixture.score(run, first)).toMatchObject({ revision: 1 });
    expect(await fixture.score(run, second)).toMatchObject({ overall: 1 });
    expect(await judgeOf(second.attempt_id)).toMatchObject({ samples: [{ cached: true }, { cached: true }] });
    expect(provider.requests).toHaveLength(requestsBefore);
  });

  test('a failed judge is missing data with a reason, and the next scoring calls it again', async () => {
    provider.follow({ status: 401, error: { message: 'no' } });
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [RUBRIC] }));
    const attempt = run.add(`Hello ${newId()}`);
    expect(await fixture.score(run, attempt)).toMatchObject({ overall: null, validity: 'invalid' });
    expect(await judgeOf(attempt.attempt_id)).toMatchObject({
      state: 'unavailable',
      reason: 'no_scored_sample',
      samples: [{ state: 'error', reason: 'provider_auth' }, { reason: 'provider_auth' }],
    });
    provider.follow({ text: '{"score": 1}' });
    expect(await fixture.score(run, attempt)).toMatchObject({ revision: 2, overall: 0 });
  });

  test('an unparsable reply is an error of the sample, and an abstention has no score', async () => {
    provider.follow([{ text: 'I think it is nice.' }, { text: '{"unable_to_judge": true}' }]);
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [RUBRIC] }));
    const attempt = run.add(`Hi ${newId()}`);
    await fixture.score(run, attempt);
    expect(await judgeOf(attempt.attempt_id)).toMatchObject({ scored: 0, abstained: 1, errored: 1 });
  });

  test('a judge call that exceeds the limits is not made', async () => {
    const scorecard = { ...SPEC.scorecard, judge_limits: { max_tokens: 100 } };
    const run = fixture.run(fixture.publish({ ...SPEC, scorecard, llm_judges: [RUBRIC] }));
    const attempt = run.add(`Hey ${newId()}`);
    const requestsBefore = provider.requests.length;
    await fixture.score(run, attempt);
    expect(await judgeOf(attempt.attempt_id)).toMatchObject({
      samples: [{ reason: 'judge_budget' }, { reason: 'judge_budget' }],
    });
    expect(provider.requests).toHaveLength(requestsBefore);
  });

  test('agents are ranked once all have finished, by one set of samples for all of them', async () => {
    provider.follow(({ body }) => inOrderOf(body, ['Good output', 'Poor output']));
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [RANKING] }));
    const good = run.add(`Good output ${newId()}`, { agent: 'good' });
    const poor = run.add('Poor output', { agent: 'poor', isFinished: false });
    const silent = run.add('', { agent: 'silent' });
    const requestsBefore = provider.requests.length;
    await fixture.send(run, good);
    poor.isFinished = true;
    await fixture.send(run, poor);
    const scored = await Promise.all(
      [good, poor, silent].map(({ attempt_id }) => fixture.awaitScored(attempt_id)),
    );
    expect(scored.map(({ overall }) => overall)).toEqual([1, 0.5, 0]);
    expect(provider.requests).toHaveLength(requestsBefore + 2);
    expect(await judgeOf(good.attempt_id)).toMatchObject({
      scored: 2,
      warnings: [],
      samples: [{ usage: { input: 5, output: 2.5 } }, { ranking: [run.idOf('good'), run.idOf('poor')] }],
    });
  });

  test('the score of a retried attempt is published together with the scores that its new rank changes', async () => {
    provider.follow(({ body }) => inOrderOf(body, ['Best output', 'Good output', 'Poor output']));
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [RANKING] }));
    const good = run.add(`Good output ${newId()}`, { agent: 'good' });
    const poor = run.add('Poor output', { agent: 'poor' });
    expect(await fixture.score(run, good)).toMatchObject({ overall: 1 });
    expect(await fixture.awaitScored(poor.attempt_id)).toMatchObject({ overall: 0 });
    Object.assign(poor, { output: 'Best output', delivery: 2 });
    const before = fixture.messages.length;
    await fixture.score(run, poor);
    const [message = []] = fixture.messages.slice(before);
    const scored = message.map(({ attempt_id, delivery, overall }) => ({ attempt_id, delivery, overall }));
    expect(scored).toEqual([
      { attempt_id: good.attempt_id, delivery: 1, overall: 0 },
      { attempt_id: poor.attempt_id, delivery: 2, overall: 1 },
    ]);
    expect(await judgeOf(good.attempt_id)).toMatchObject({ score: 0 });
  });

  test('a failed ranking is requested once for all agents that lack it', async () => {
    provider.follow({ status: 401, error: { message: 'no' } });
    const run = fixture.run(fixture.publish({ ...SPEC, llm_judges: [RANKING] }));
    const [first, second] = [run.add('One', { agent: 'one' }), run.add('Two', { agent: 'two' })];
    const requestsBefore = provider.requests.length;
    expect(await fixture.score(run, first)).toMatchObject({ overall: null });
    expect(await fixture.awaitScored(second.attempt_id)).toMatchObject({ overall: null });
    expect(provider.requests).toHaveLength(requestsBefore + 2);
  });
});

/** A judge that ranks these two-word outputs in this order, as far as it is shown them. */
function inOrderOf(body: object, best: readonly string[]): { text: string } {
  const prompt = JSON.stringify(body);
  const shown = best.filter((output) => prompt.includes(output));
  const labels = [...shown].sort((one, other) => prompt.indexOf(one) - prompt.indexOf(other));
  return { text: JSON.stringify({ ranking: shown.map((output) => 'ABC'.charAt(labels.indexOf(output))) }) };
}
