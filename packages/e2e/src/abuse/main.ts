// `pnpm abuse [--only key,key] [--scale short|whole] [--tries 3] [--json]`: one workspace attacks an embedded stack on
// loopback while another one works; prints what that costs the other. Exit code 1 when a bound was missed.
import { parseArgs } from 'node:util';
import { ApiError } from '@agentclash/api';
import { ATTACK_KEYS, ATTACKS, type AttackKey } from './attacks.js';
import { type Measured, measured } from './measure.js';
import { documentOf, tableOf } from './report.js';
import { Tenants } from './tenants.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    scale: { type: 'string', default: 'whole' },
    tries: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});

try {
  const results = await attacked(chosenKeys());
  console.log(values.json ? JSON.stringify(documentOf(results), null, 2) : tableOf(results));
  if (results.some(({ missed }) => missed.length > 0)) process.exitCode = 1;
} catch (error) {
  console.error(`error ${(error as Error).message}`);
  if (error instanceof ApiError)
    for (const each of error.errors) console.error(`  ${each.field}: ${each.message}`);
  process.exitCode = 1;
}

async function attacked(keys: readonly AttackKey[]): Promise<Measured[]> {
  const scale = values.scale === 'short' || values.scale === 'whole' ? values.scale : undefined;
  if (scale === undefined) throw new Error('--scale is short or whole.');
  const triesMax = Number(values.tries);
  if (!Number.isInteger(triesMax) || triesMax < 1) throw new Error('--tries must be a positive integer.');
  const tenants = await Tenants.open();
  // The stack is a process of its own and would outlive this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void Tenants.closeAll().finally(() => process.exit(1)));
  }
  try {
    const results: Measured[] = [];
    for (const key of keys) {
      if (!values.json) console.log(`${key}: ${ATTACKS[key].summary}`);
      results.push(await measured({ tenants, key, scale, triesMax }));
    }
    return results;
  } finally {
    await tenants.close();
  }
}

function chosenKeys(): AttackKey[] {
  const names = values.only?.split(',') ?? ATTACK_KEYS;
  return names.map((name) => {
    const key = ATTACK_KEYS.find((each) => each === name);
    if (key === undefined) throw new Error(`There is ${ATTACK_KEYS.join(', ')}; not ${name}.`);
    return key;
  });
}
