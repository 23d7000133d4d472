import { CommandError } from '../../command-error.js';

const UNIT_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The moment meant by a date, a time, or a span from now such as `30d`; RFC 3339, UTC. */
export function expiryOf(text: string, nowMs: number): string {
  const [, amount, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const ms =
    amount === undefined ? Date.parse(text) : nowMs + Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (!Number.isFinite(ms)) {
    throw new CommandError('usage', `"${text}" is no time`, {
      hint: 'A date (2030-01-31), a time (RFC 3339), or a span: 12h, 30d, 8w.',
    });
  }
  if (ms <= nowMs) throw new CommandError('usage', `"${text}" has passed`);
  return new Date(ms).toISOString();
}
