import type { JsonValue } from '../json.js';
import { templateParts } from './placeholder.js';

const HOST = '^https?://[^/\\\\?#\\p{White_Space}]+';
const BEFORE_PLACEHOLDER = new RegExp(`${HOST}/`, 'iu');
const WHOLE = new RegExp(`${HOST}(?:[/?#]|$)`, 'iu');

/** True when a url template fixes scheme and host, so that no argument decides where a secret goes. */
export function hasLiteralHost(url: JsonValue | undefined): boolean {
  if (typeof url !== 'string') return false;
  const [first = '', ...rest] = templateParts(url);
  if (typeof first !== 'string') return false;
  return (rest.length === 0 ? WHOLE : BEFORE_PLACEHOLDER).test(first);
}
