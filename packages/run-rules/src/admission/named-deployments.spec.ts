import type { DeploymentDefaults } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deploymentsRequired, idsOfNamed, namedDeployments } from './named-deployments.js';

const DEFAULTS: DeploymentDefaults = {
  aliases: { strong: 'claude', chain: 'strong' },
  lineups: { default: ['strong', 'cheap'], solo: ['chain'] },
};
const active = (...names: string[]) => ({
  found: names.map((name) => ({ id: `id-of-${name}`, name, status: 'active' as const })),
  names: async () => names,
});

describe('deployment_defaults: a run', () => {
  test('a run that names no deployment races the default lineup, its aliases resolved', async () => {
    const named = namedDeployments({}, DEFAULTS);
    expect(named).toMatchObject({
      lineup: 'default',
      names: [{ selector: 'claude' }, { selector: 'cheap' }],
    });
    if (!named) throw new Error('nothing is named');
    expect(await idsOfNamed(named, active('cheap', 'claude'), DEFAULTS)).toEqual([
      'id-of-claude',
      'id-of-cheap',
    ]);
  });

  test('a run may name aliases, names and ids side by side; an alias of an alias is not followed', () => {
    const named = namedDeployments({ deployment_names: ['strong', 'other', 'chain'] }, DEFAULTS);
    expect(named?.names.map(({ selector }) => selector)).toEqual(['claude', 'other', 'strong']);
    expect(named).not.toHaveProperty('lineup');
  });

  test('a run may name another lineup, and is refused for one that the pack does not have', () => {
    expect(namedDeployments({ lineup: 'solo' }, DEFAULTS)?.names).toEqual([
      { name: 'chain', selector: 'strong' },
    ]);
    expect(() => namedDeployments({ lineup: 'sol' }, DEFAULTS)).toThrow(
      expect.objectContaining({
        code: 'not_found',
        message: 'The pack has no lineup "sol", but default, solo.',
        details: { errors: [expect.objectContaining({ field: 'lineup', suggestion: 'solo' })] },
      }),
    );
  });

  test('without a default lineup the error lists the deployments and lineups', () => {
    expect(namedDeployments({}, undefined)).toBeUndefined();
    expect(namedDeployments({}, { lineups: { solo: ['a'] } })).toBeUndefined();
    expect(deploymentsRequired(['a', 'b'], ['solo'])).toMatchObject({
      code: 'deployments_required',
      message: expect.stringContaining('active deployments: a, b; lineups of the pack: solo'),
    });
  });

  test('inherited members of objects are ordinary names', () => {
    const named = namedDeployments({ deployment_names: ['constructor', '__proto__'] }, DEFAULTS);
    expect(named?.names.map(({ selector }) => selector)).toEqual(['constructor', '__proto__']);
    expect(() => namedDeployments({ lineup: 'toString' }, DEFAULTS)).toThrow(/no lineup "toString"/);
  });
});

describe('a name that cannot be resolved', () => {
  const resolve = (choice: { deployment_names?: string[]; lineup?: string }, ...names: string[]) => {
    const named = namedDeployments(choice, DEFAULTS);
    if (!named) throw new Error('nothing is named');
    return idsOfNamed(named, active(...names), DEFAULTS);
  };

  test('an unknown name is an error with its place, the alias behind it and the nearest name', async () => {
    await expect(resolve({}, 'claud', 'cheap')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(
        /"claude" \(alias "strong"\) \(did you mean claud\?\).*The lineup "default" of the pack names it.*claud, cheap/,
      ),
      details: { errors: [{ field: 'lineup', suggestion: 'claud' }] },
    });
    await expect(resolve({ deployment_names: ['cheap', 'solvr'] }, 'cheap', 'solver')).rejects.toMatchObject({
      details: { errors: [{ code: 'not_found', field: 'deployment_names[1]', suggestion: 'solver' }] },
    });
  });

  test('a name of the same deployment twice is an error, also through an alias', async () => {
    await expect(resolve({ deployment_names: ['strong', 'claude'] }, 'claude')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('one deployment as "strong" and as "claude"'),
      details: { errors: [{ code: 'not_unique', field: 'deployment_names[1]' }] },
    });
    await expect(resolve({ deployment_names: ['a', 'a'] }, 'a')).rejects.toThrow(/"a" twice/);
  });
});

test('every lineup of deployments that exist is resolved in its order, whatever it is called', async () => {
  const name = fc.string({ minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), name, async (names, lineup) => {
      const defaults = { lineups: Object.fromEntries([[lineup, names]]) };
      const named = namedDeployments({ lineup }, defaults);
      if (!named) throw new Error('nothing is named');
      const ids = await idsOfNamed(named, active(...names.toReversed()), defaults);
      expect(ids).toEqual(names.map((each) => `id-of-${each}`));
    }),
  );
});
