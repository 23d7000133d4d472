/** Units by their names; the first is the one they are compared by. */
const NAMES: readonly (readonly string[])[] = [
  ['mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres'],
  ['cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres'],
  ['meters', 'meter', 'metre', 'metres'],
  ['km', 'kilometer', 'kilometers', 'kilometre', 'kilometres'],
  ['inches', 'inch', 'in'],
  ['feet', 'foot', 'ft'],
  ['yards', 'yard', 'yd', 'yds'],
  ['miles', 'mile', 'mi'],
  ['mg', 'milligram', 'milligrams'],
  ['grams', 'gram'],
  ['kg', 'kilogram', 'kilograms'],
  ['pounds', 'pound', 'lb', 'lbs'],
  ['ounces', 'ounce', 'oz'],
  ['tons', 'ton'],
  ['seconds', 'second', 'sec', 'secs'],
  ['minutes', 'minute', 'min', 'mins'],
  ['hours', 'hour', 'hr', 'hrs'],
  ['days', 'day'],
  ['weeks', 'week'],
  ['months', 'month'],
  ['years', 'year', 'yr', 'yrs'],
  ['dollars', 'dollar', 'usd', '$', '\\$'],
  ['cents', 'cent', '¢'],
  ['euros', 'euro', 'eur', '€'],
  ['pounds sterling', 'gbp', '£'],
  ['yen', 'jpy', '¥'],
  ['rupees', 'rupee', 'inr', '₹'],
  ['ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres'],
  ['liters', 'liter', 'litre', 'litres'],
  ['gallons', 'gallon'],
  ['quarts', 'quart'],
  ['pints', 'pint'],
  ['cups', 'cup'],
  ['degrees', 'degree', 'deg', '°'],
  ['radians', 'radian', 'rad'],
  ['units', 'unit'],
  ['mph'],
  ['km/h', 'kph', 'kmh'],
];
const CANONICAL = new Map(NAMES.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)));

/** Letters that are units only where it is plain that a unit is meant: in `\text{}`, or below a slash. */
const SHORT = new Map([
  ['m', 'meters'],
  ['g', 'grams'],
  ['s', 'seconds'],
  ['h', 'hours'],
  ['l', 'liters'],
]);

const CURRENCY = '\\\\?\\$|[€£¥₹¢]';
const CODES = 'USD|EUR|GBP|JPY|INR';
const PREFIX = new RegExp(`^([+\\-−–]?)\\s*(${CURRENCY}|(?:${CODES})(?![A-Za-z]))\\s*([+\\-−–]?)`);
const SUFFIX = new RegExp(`\\s*(${CURRENCY})$`);

const POWER = '(?:\\s*\\^\\s*(?:\\{\\s*[23]\\s*\\}|[23])|[²³])?';
const TEXT_WORDS = `\\\\(?:text|textrm|textnormal|mathrm|mbox|operatorname)\\s*\\{[A-Za-z°$¢€£¥₹ ./²³^\\d-]*\\}${POWER}`;
const TEXT_SUFFIX = new RegExp(`(?:\\s*(?:\\\\?/\\s*)?${TEXT_WORDS})+$`);
const WORD = [...CANONICAL.keys()]
  .filter((name) => /^[a-z]{2,}$/.test(name))
  .sort((a, b) => b.length - a.length)
  .join('|');
const MEASURE = `(?:(?:square|sq\\.?|cubic|cu\\.?)\\s+)?(?:${WORD})\\b\\.?${POWER}`;
const PLAIN_SUFFIX = new RegExp(
  `(?<![A-Za-z\\\\])\\s*(${MEASURE}(?:\\s*(?:/|\\bper\\b)\\s*(?:${MEASURE}|[msghl]\\b${POWER}))*)$`,
  'i',
);

export interface Measured {
  /** The rest, to be read as an expression. */
  readonly text: string;
  /** Equal for equal units. */
  readonly unit: string | null;
  /** The unit was a plain word, which is one only behind a number. */
  readonly isPlainWord: boolean;
}

/** Takes off the unit that a text ends with, or the currency it begins with. */
export function withoutUnit(text: string): Measured {
  const marked = text.replace(/\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))|°/g, '\\text{degrees}').trim();
  const prefix = PREFIX.exec(marked);
  if (prefix !== null) {
    const [whole, sign = '', name = '', innerSign = ''] = prefix;
    return { text: sign + innerSign + marked.slice(whole.length), unit: unitOf(name), isPlainWord: false };
  }
  const suffix = TEXT_SUFFIX.exec(marked) ?? SUFFIX.exec(marked);
  if (suffix !== null && suffix.index > 0) {
    return { text: marked.slice(0, suffix.index), unit: unitOf(suffix[0]), isPlainWord: false };
  }
  const plain = PLAIN_SUFFIX.exec(marked);
  if (plain !== null && plain.index > 0) {
    return { text: marked.slice(0, plain.index), unit: unitOf(plain[1] ?? ''), isPlainWord: true };
  }
  return { text, unit: null, isPlainWord: false };
}

/** One spelling for each unit: `cm^2` for "square centimeters", "cm²" and `\text{cm}^{2}`. */
function unitOf(text: string): string | null {
  const plain = text
    .replace(/\\(?:text|textrm|textnormal|mathrm|mbox|operatorname)\s*\{([^}]*)\}/g, ' $1 ')
    .replace(/\\\//g, '/')
    .replaceAll('²', '^2')
    .replaceAll('³', '^3')
    .replace(/\^\s*\{?\s*([23])\s*\}?/g, '^$1');
  const parts = plain.split(/\/|\bper\b/).map(partOf);
  return parts.every((part) => part === '') ? null : parts.join('/');
}

function partOf(text: string): string {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  const named = words
    .join(' ')
    .replace(/^(?:square|sq\.?) (.*)$/i, '$1^2')
    .replace(/^(?:cubic|cu\.?) (.*)$/i, '$1^3');
  const [name = '', power = ''] = named.replace(/ \^/g, '^').split('^');
  const bare = name.replace(/\.$/, '').trim();
  const known = SHORT.get(bare) ?? CANONICAL.get(bare.toLowerCase());
  return `${known ?? (bare.length > 2 ? bare.toLowerCase() : bare)}${power === '' ? '' : `^${power}`}`;
}
