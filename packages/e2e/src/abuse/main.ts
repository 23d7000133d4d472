// `pnpm abuse [options]`: one workspace attacks an embedded stack on loopback while another one works; prints what that
// costs the other. Exit code 1 when a bound was missed.
import { ApiError } from '@agentclash/api';
import { chosenOf, parseFlags, positiveInteger } from '../command-line.js';
import { stopStacksOnSignal } from '../product.js';
import type { Scale } from './attacks/attack.js';
import { ATTACK_KEYS, ATTACKS, type AttackKey } from './attacks.js';
import { documentOf, type Measured, measured, tableOf } from './measure.js';
import { Tenants } from './tenants.js';

const FLAGS = {
  help: { type: 'boolean', short: 'h', default: false },
  json: { type: 'boolean', default: false },
  only: { type: 'string' },
  scale: { type: 'string', default: 'whole' },
  tries: { type: 'string', default: '3' },
} as const;

const USAGE = `pnpm abuse [options]: what the attacks of one workspace cost another one, on an embedded stack

Attacks, by default all: ${ATTACK_KEYS.join(', ')}

  --only <key,key>  these attacks
  --scale <scale>   short or whole (default)
  --tries <n>       trials of each attack, of which the best counts; default 3
  --json            print the figures as JSON
  -h, --help        print this`;

interface Options {
  keys: readonly AttackKey[];
  scale: Scale;
  triesMax: number;
  isJson: boolean;
}

try {
  const { values } = parseFlags(process.argv.slice(2), FLAGS);
  if (values.help) console.log(USAGE);
  else await report(optionsOf(values));
} catch (error) {
  console.error(`error ${(error as Error).message}`);
  if (error instanceof ApiError)
    for (const each of error.errors) console.error(`  ${each.field}: ${each.message}`);
  process.exitCode = 1;
}

function optionsOf(values: { json: boolean; only?: string; scale: string; tries: string }): Options {
  const { json, only, scale, tries } = values;
  if (scale !== 'short' && scale !== 'whole') throw new Error('--scale is short or whole.');
  return {
    keys: chosenOf(only, '--only', ATTACK_KEYS),
    scale,
    triesMax: positiveInteger(tries, '--tries'),
    isJson: json,
  };
}

async function report({ keys, scale, triesMax, isJson }: Options): Promise<void> {
  stopStacksOnSignal();
  const tenants = await Tenants.open();
  const results: Measured[] = [];
  try {
    for (const key of keys) {
      if (!isJson) console.log(`${key}: ${ATTACKS[key].summary}`);
      results.push(await measured({ tenants, key, scale, triesMax }));
    }
  } finally {
    await tenants.close();
  }
  console.log(isJson ? JSON.stringify(documentOf(results), null, 2) : tableOf(results));
  if (results.some(({ missed }) => missed.length > 0)) process.exitCode = 1;
}
