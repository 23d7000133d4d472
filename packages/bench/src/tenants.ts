import { ATTACK_KEYS, ATTACKS, BOUNDS, type Measured, measured, Tenants } from '@agentclash/e2e';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';

/** The best of them counts: what runs beside the bench disturbs one of two runs more than the other. */
const TRIES_MAX = 3;

/**
 * The cost of one workspace's attack to another: the time of its run beside its time alone, one after the other on the
 * same stack, and how long its API takes meanwhile.
 */
export async function benchTenants({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const tenants = await Tenants.open();
  try {
    const figures: Figure[] = [];
    for (const key of ATTACK_KEYS) {
      const scale = isQuick ? 'short' : 'whole';
      const result = await measured({ tenants, key, scale, triesMax: isQuick ? 1 : TRIES_MAX });
      figures.push(...figuresOf(result));
    }
    return figures;
  } finally {
    await tenants.close();
  }
}

function figuresOf({ key: attack, ratio, best }: Measured): Figure[] {
  const key = attack.replaceAll('-', '_');
  const name = ATTACKS[attack].summary;
  const { alone, attacked } = best;
  return [
    { key: `${key}_alone_seconds`, name: `${name}: the run alone`, value: alone.seconds, unit: 's' },
    {
      key: `${key}_ratio`,
      name: `${name}: the run beside its time alone`,
      value: ratio,
      unit: '×',
      target: BOUNDS.ratioMax,
    },
    {
      key: `${key}_api_p99_ms`,
      name: `${name}: p99 of the API`,
      value: attacked.api.p99Ms,
      unit: 'ms',
      target: BOUNDS.p99MsMax,
    },
    {
      key: `${key}_violations`,
      name: `${name}: requests or verdicts that went wrong`,
      value: attacked.violations.length,
      unit: '',
      target: 0,
    },
  ];
}
