import type { ProgramModel } from '@agentclash/attempt-plan';
import { prepareCall } from '@agentclash/model-broker';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requestedModels } from './requested-models.js';

const connection = (alias: string, model: string): ProgramModel => ({
  alias,
  model,
  provider_key: 'openai_compatible',
});

/** The alias that the broker finds for a name. */
function selected(name: string, models: readonly ProgramModel[]): string {
  const prepared = prepareCall({
    wire: 'chat',
    kind: 'call',
    body: Buffer.from(JSON.stringify({ model: name, messages: [] })),
    path: {},
    models: Object.fromEntries(models.map(({ alias, model }) => [alias, model])),
    main: models[0]?.alias ?? '',
    allowsServerFeatures: false,
  });
  return 'alias' in prepared ? prepared.alias : 'refused';
}

const name = fc.constantFrom('sonnet', 'gpt', 'gpt-5.4', 'gemini-3.1-pro-preview', 'a "b"', 'org/m:8b');

describe('The names by which a coding agent requests its models', () => {
  test('A coding agent requests its models by the names of the provider, to which it adapts itself', () => {
    const main = connection('gemini-pro', 'gemini-3.1-pro-preview');
    const small = connection('flash', 'gemini-3.1-flash');
    expect(requestedModels({ main }, 'google')).toEqual({
      model: 'gemini-3.1-pro-preview',
      small_model: 'gemini-3.1-pro-preview',
    });
    expect(requestedModels({ main, small }, 'google')).toMatchObject({ small_model: 'gemini-3.1-flash' });
  });

  test('A coding agent requests a model by its alias where the name needs quoting in settings or paths', () => {
    const models = { main: connection('mine', 'org/m:8b'), small: connection('quoted', 'a "b"') };
    expect(requestedModels(models, 'chat')).toEqual({ model: 'org/m:8b', small_model: 'quoted' });
    expect(requestedModels(models, 'google')).toEqual({ model: 'mine', small_model: 'quoted' });
  });

  test('Two aliases of one model stay distinct: the name of the provider is that of the main one', () => {
    const models = { main: connection('fast', 'gpt-5.4'), small: connection('slow', 'gpt-5.4') };
    expect(requestedModels(models, 'chat')).toEqual({ model: 'gpt-5.4', small_model: 'slow' });
  });

  test('Each name selects its own model at the broker, whichever the aliases and models are called', () => {
    fc.assert(
      fc.property(name, name, name, name, (alias, model, otherAlias, otherModel) => {
        const main = connection(alias, model);
        const small = connection(otherAlias, otherModel);
        fc.pre(alias !== otherAlias);
        for (const wire of ['chat', 'google'] as const) {
          const names = requestedModels({ main, small }, wire);
          expect(selected(names.model, [main, small])).toBe(alias);
          expect(selected(names.small_model, [main, small])).toBe(otherAlias);
        }
      }),
    );
  });
});
