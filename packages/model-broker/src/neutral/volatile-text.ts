/** Text that differs between two attempts of the same agent, and its mark in the neutral form. */
const RULES: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '[uuid]'],
  [/\b20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '[time]'],
  [
    /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} \d{1,2},? 20\d\d\b/g,
    '[time]',
  ],
  [/\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)? ?(?:[AP]M)?| ?[AP]M)(?![\w:])/g, '[time]'],
  // Unix times of this and the next decade, in seconds and milliseconds.
  [/\b1[6-9]\d{8}(?:\d{3})?\b/g, '[time]'],
  [/\b\d+(?:\.\d+)? ?(?:ms|milliseconds?|s|secs?|seconds?)\b/g, '[duration]'],
  [/\b((?:P?PID|PGID|P?pid|pgid)(?:: ?|=| ))\d+/g, '$1[number]'],
];

/** Ids that a client makes for the output of its tools, such as Codex for each command. */
const OUTPUT_ID = /\bChunk ID: [0-9a-f]+/g;

/** A text without the ids that a client makes for outputs. */
export function withoutOutputIds(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? text : text.replace(OUTPUT_ID, 'Chunk ID: [id]');
}

/** Longer texts are data: they stay as they are. */
const TEXT_LENGTH_MAX = 1_048_576;

/** A text without what differs between two attempts of the same agent: ids, times, durations, process ids. */
export function neutralText(text: string): string {
  if (text.length > TEXT_LENGTH_MAX) return text;
  return RULES.reduce((result, [pattern, mark]) => result.replace(pattern, mark), text);
}
