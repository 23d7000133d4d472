/** One to three digits, then groups of three; nothing before or behind that makes the commas anything else. */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)/g;
/** The same with signs that TeX has for nothing but grouping: `{,}`, `,\!` and `\,`. */
const GROUPED_BY_TEX = /(?<![\d.,])[1-9]\d{0,2}(?:(?:\{,\}|,\\!|\\,)\d{3})+(?!\d|,\d)/g;

/** Drops what separates groups of digits in a number of TeX, where nothing else can be meant. */
export function joinTexGroups(text: string): string {
  return text.replace(GROUPED_BY_TEX, (number) => number.replace(/\D/g, ''));
}

/** Drops the commas of numbers such as 1,234 or 12,345,678; any other comma separates items. */
export function joinDigitGroups(text: string): string {
  return text.replace(GROUPED, (number) => number.replaceAll(',', ''));
}
