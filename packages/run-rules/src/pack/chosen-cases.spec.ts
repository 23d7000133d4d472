import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failedCases, namedCases } from './chosen-cases.js';

const ALL = ['peru', 'chile', 'brazil'];
const RUN = '01890000-0000-7000-8000-000000000000';

describe('the cases of a run', () => {
  test('the cases of a run are the named ones in authored order, each once, and the run records its part', () => {
    const case_keys = ['peru', 'brazil'];
    expect(namedCases(ALL, ['brazil', 'peru', 'brazil'])).toEqual({
      caseKeys: case_keys,
      subset: { case_keys, of: 3, failed_in_run_id: null },
    });
  });

  test('a run that names all cases is no part of the input set', () => {
    expect(namedCases(ALL, [...ALL].reverse())).toEqual({ caseKeys: ALL });
  });

  test('cases that the input set does not have are refused, each at its place', () => {
    expect(() => namedCases(ALL, ['peru', 'chille', 'x'])).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: {
          errors: [
            expect.objectContaining({
              field: 'case_keys[1]',
              message: 'is no case of the input set; did you mean chile?',
            }),
            expect.objectContaining({ field: 'case_keys[2]' }),
          ],
        },
      }),
    );
  });

  test('the first of many unknown cases are named, and a similar name is looked for few of them among the first', () => {
    const all = Array.from({ length: 1_100 }, (_, index) => `case-${index}`);
    const refused = (named: string[]) => {
      try {
        namedCases(all, named);
      } catch (error) {
        return (error as { details: { errors: { message: string }[] } }).details.errors;
      }
      return [];
    };
    const errors = refused(all.map((key) => `${key}x`));
    expect(errors).toHaveLength(20);
    expect(errors.filter(({ message }) => message.includes('did you mean'))).toHaveLength(3);
    expect(refused(['cose-1099'])[0]?.message).not.toContain('case-1099');
  });

  test('cases that an earlier run did not pass are recorded with that run, also when these are all', () => {
    expect(failedCases(ALL, ['brazil', 'gone'], RUN)).toMatchObject({
      caseKeys: ['brazil'],
      subset: { of: 3, failed_in_run_id: RUN },
    });
    expect(failedCases(ALL, ALL, RUN).subset).toMatchObject({ case_keys: ALL, failed_in_run_id: RUN });
  });

  test('a selection without any case is refused', () => {
    const refused = (failed: string[]) => {
      try {
        failedCases(ALL, failed, RUN);
      } catch (error) {
        return JSON.stringify((error as { details: unknown }).details);
      }
      return 'accepted';
    };
    expect(refused([])).toContain('passed every case');
    expect(refused(['gone'])).toContain('does not have');
  });

  test('the selected cases are always a part of the set, in its order', () => {
    const keys = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(keys, fc.infiniteStream(fc.boolean()), (all, picks) => {
        const chosen = all.filter(() => picks.next().value === true);
        const { caseKeys } = namedCases(all, [...chosen].reverse());
        expect(caseKeys).toEqual(chosen);
      }),
    );
  });
});
