import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import { VARIABLE_NAME } from '../decode/text-forms.js';
import type { PlantedSecret } from '../pack/model.js';
import { eachEntry, type PackCheck } from './pack-check.js';

export function checkSecurity(check: PackCheck): void {
  const { pack, paths } = check;
  if (pack.pack?.family === 'security' && pack.security === undefined) {
    check.require(paths.security, 'a pack of family security needs this block; {} is enough');
  }
  const planted = paths.security.field('planted_secrets');
  for (const [secret, at] of eachEntry(pack.security?.planted_secrets, planted))
    checkPlanted(check, secret, at);
  const forbidden = paths.security.field('forbidden_outputs');
  for (const [, at] of eachEntry(pack.security?.forbidden_outputs, forbidden)) {
    const given = ['pattern', 'substring']
      .map((name) => at.field(name))
      .filter((field) => isGiven(check, field));
    if (given.length !== 1)
      check.report('exactly_one_of', at, { message: 'exactly one of pattern and substring' });
  }
}

function isGiven(check: PackCheck, at: FieldPath): boolean {
  return check.isUndecodable(at) || (check.isWritten(at) && !check.isBlank(at));
}

function checkPlanted(check: PackCheck, secret: Draft<PlantedSecret>, at: FieldPath): void {
  const { location, name } = secret;
  if (location === 'infisical-mock') {
    check.report('value_ignored', at.field('location'), { message: 'planted and checked like env' });
  }
  if (location === 'file' && secret.file_path === undefined) {
    check.require(at.field('file_path'), 'the location file needs a file_path');
  }
  if (location !== 'env' && location !== 'infisical-mock') return;
  if (name !== undefined && !VARIABLE_NAME.test(name)) {
    check.report('malformed', at.field('name'), { message: 'expected the name of an environment variable' });
  }
  checkNotOverridden(check, secret, at);
}

function checkNotOverridden(check: PackCheck, { name, value }: Draft<PlantedSecret>, at: FieldPath): void {
  const variables = check.pack.version?.sandbox?.env_vars;
  if (!variables || name === undefined || value === undefined || !Object.hasOwn(variables, name)) return;
  if (variables[name] !== value) {
    check.report('value_ignored', at.field('value'), {
      message: `sandbox.env_vars sets ${name} to something else`,
    });
  }
}
