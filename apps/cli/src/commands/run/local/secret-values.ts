import { CommandError } from '../../../command-error.js';
import { environment } from '../../../config.js';

type SecretValues = import('@agentclash/local-run').SecretValues;

const NAMED = /^([A-Za-z_][A-Za-z0-9_]{0,127})(=([\s\S]*))?$/;

/** The secrets that the command line names: `NAME` has the value of the variable of its name, `NAME=VALUE` the value. */
export function secretValues(named: readonly string[]): SecretValues {
  const values = new Map<string, string>();
  for (const text of named) {
    const [, name, , given] = NAMED.exec(text) ?? [];
    if (name === undefined) {
      throw new CommandError(
        'usage',
        'A secret is named NAME, or NAME=VALUE: letters, digits and underscores',
      );
    }
    const value = given ?? environment.operator[name];
    if (value === undefined) {
      throw new CommandError(
        'usage',
        `The secret ${name} has no value: there is no environment variable ${name}`,
      );
    }
    values.set(name, value);
  }
  return { given: (key) => values.get(key), variable: (name) => environment.operator[name] };
}
