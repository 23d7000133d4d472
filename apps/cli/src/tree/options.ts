import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** An option's whole number within bounds. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** A text that is not the next option: `--seed --quick` lacks its text. */
export function textNoOption(text: string): string {
  if (!text.startsWith('--')) return text;
  throw new InvalidArgumentError(
    `It must not begin with --: write the value before the option ${text} (a file as ./${text}).`,
  );
}

/** A text of so many characters. */
export function textOfLength(min: number, max: number) {
  return (text: string): string => {
    if (text.length >= min && text.length <= max) return text;
    throw new InvalidArgumentError(`It must have ${min} to ${max} characters.`);
  };
}

/** An option's IP address. */
export function ipAddress(text: string): string {
  if (isIP(text) === 0) throw new InvalidArgumentError('It must be an IP address, such as 0.0.0.0.');
  return text;
}

const DECIMAL = /^(\d+(\.\d*)?|\.\d+)$/;

/** An option's number within bounds. */
export function decimal(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!DECIMAL.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** An option's number above 0. */
export function amount(max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!DECIMAL.test(text) || value <= 0 || value > max) {
      throw new InvalidArgumentError(`It must be a number above 0, at most ${max}.`);
    }
    return value;
  };
}

/** An option's price in US dollars, which may be 0. */
export function dollars(text: string): number {
  const value = Number(text);
  if (!DECIMAL.test(text) || value > 1_000_000) {
    throw new InvalidArgumentError('It must be an amount of US dollars, such as 2.5.');
  }
  return value;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a run agent, which no list abbreviates. */
export function runAgentId(text: string): string {
  if (UUID.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError(
    'It must be the whole id of a run agent; agentclash run agents <run> shows them.',
  );
}

/** `key=value`, repeated. */
export function label(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/su.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be key=value.');
  return { ...before, [key]: value };
}

/** `measure=score`, repeated. */
export function minimum(text: string, before: Record<string, number> = {}): Record<string, number> {
  const [, key, value] = /^([^=]+)=(.+)$/su.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be measure=score, such as overall=0.9.');
  }
  return Object.fromEntries([...Object.entries(before), [key, decimal(0, 1)(value)]]);
}

/** `criterion=score`, repeated. */
export function score(text: string, before: Record<string, number> = {}): Record<string, number> {
  const [, key, value] = /^(.+)=(-?\d+(?:\.\d+)?)$/su.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be criterion=score, with a number.');
  }
  return { ...before, [key]: Number(value) };
}
