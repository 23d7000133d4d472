import idna from 'idn-hostname';

const NAME_MAX = 253;
/** A character of a host name takes at most so many UTF-16 units. */
const UNITS_MAX = 2 * NAME_MAX;
const LABEL = /^[0-9A-Za-z](?:[-0-9A-Za-z]{0,61}[0-9A-Za-z])?$/;

/** RFC 1123 section 2.1; a label that begins with `xn--` must be one of IDNA (RFC 5890). */
export function isHostname(text: string): boolean {
  if (text.length > NAME_MAX) return false;
  const labels = text.split('.');
  if (!labels.every((label) => LABEL.test(label))) return false;
  return labels.every((label) => !isReserved(label) || (isEncoded(label) && isIdna(label)));
}

/** RFC 5890: labels may be written with letters beyond ASCII; the dots of IDNA 2003 separate as well. */
export function isIdnHostname(text: string): boolean {
  if (text.length > UNITS_MAX || /^[.\u3002\uff0e\uff61]|[.\u3002\uff0e\uff61]$/u.test(text)) return false;
  return isIdna(text);
}

/** RFC 5890 section 2.3.1: two hyphens in third and fourth place are reserved, and `xn` is the only prefix in use. */
function isReserved(label: string): boolean {
  return label.slice(2, 4) === '--';
}

function isEncoded(label: string): boolean {
  return label.slice(0, 2).toLowerCase() === 'xn';
}

/** The library throws at whatever is no host name. */
function isIdna(text: string): boolean {
  try {
    return idna.isIdnHostname(text);
  } catch {
    return false;
  }
}
