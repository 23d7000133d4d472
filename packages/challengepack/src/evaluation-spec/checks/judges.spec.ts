import { describe, expect, test } from '@jest/globals';
import { findings, ofJudge } from '../../testing/spec-findings.js';

describe('judge mode', () => {
  test('validators are needed unless only models judge', () => {
    expect(findings({ validators: [] })).toEqual(['validators required']);
    expect(findings({ validators: null })).toEqual(['validators required']);
    expect(findings({ validators: [], judge_mode: 'llm_judge' })).toEqual([]);
  });

  test('judges are needed unless the judge mode is deterministic', () => {
    const scorecard = { dimensions: ['correctness'], pass_threshold: 1 };
    expect(findings({ llm_judges: [], scorecard })).toEqual(['llm_judges required']);
    expect(findings({ llm_judges: [], scorecard, judge_mode: 'deterministic' })).toEqual([]);
  });

  test('unreadable lists of validators and judges are not missing', () => {
    expect(findings({ validators: 'x' })).toEqual(['validators type_mismatch']);
    expect(findings({ llm_judges: 1 })).toEqual(['llm_judges type_mismatch']);
  });
});

describe('judges', () => {
  test.each([
    [{ rubric: ' ' }, ['rubric required']],
    [{ mode: 'reference' }, ['reference_from required']],
    [{ mode: 'assertion' }, ['assertion required']],
    [{ mode: 'n_wise' }, ['prompt required']],
    [{ mode: 'n_wise', prompt: 'Which is best?' }, []],
    [{ mode: 'vibes' }, ['mode unknown_value']],
    [{ samples: 11 }, ['samples out_of_range']],
    [{ samples: 0 }, []],
    [{ timeout_ms: 0 }, ['timeout_ms out_of_range']],
    [{ score_scale: { min: 5 } }, ['score_scale out_of_range']],
    [{ score_scale: { max: 10 } }, []],
    [{ score_scale: { min: '0', max: 1 } }, ['score_scale.min type_mismatch']],
    [{ reference_from: 'nowhere' }, ['reference_from malformed']],
    [{ context_from: [' '] }, ['context_from[0] required']],
    [{ model: 'alias:' }, ['model unknown_value']],
    [{ model: null }, ['model type_mismatch']],
    [{ models: ['gpt-5'], model: '' }, []],
    [
      { models: ['gpt-5', 'llama3'], model: '', consensus: { aggregation: 'mean' } },
      ['models[1] unknown_value'],
    ],
    [{ consensus: { aggregation: 'mean' } }, ['consensus contradiction']],
    [{ models: ['gpt-5', 'o3'], model: '', consensus: {} }, ['consensus.aggregation required']],
    [{ models: ['gpt-5', 'o3'], model: '', consensus: { aggregation: 'unanimous' } }, []],
  ])('the judge %j has the problems %j', (judge, found) => expect(ofJudge(judge)).toEqual(found));

  test('judges of assertions are aggregated by vote, those of scores by mean', () => {
    const several = { models: ['gpt-5', 'o3'], model: '', mode: 'assertion', assertion: 'It is true.' };
    expect(ofJudge({ ...several, consensus: { aggregation: 'median' } })).toEqual([
      'consensus.aggregation contradiction',
    ]);
    expect(ofJudge({ ...several, consensus: { aggregation: 'majority_vote' } })).toEqual([]);
  });

  test.each([
    ['${secrets.KEY}', true],
    ['${ secrets.KEY }', true],
    ['${json:secrets.KEY}', true],
    ['${ query : secrets.KEY}', true],
    ['$${secrets.KEY}', false],
    ['${secretsKEY}', false],
    ['the secrets. of the trade', false],
  ])('the text %s in an instruction is a secret: %s', (text, isSecret) => {
    const found = isSecret ? ['rubric secret_not_allowed'] : [];
    expect(ofJudge({ rubric: `Compare with ${text}` })).toEqual(found);
  });
});
