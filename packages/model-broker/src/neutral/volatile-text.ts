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

/** Lines of a client before the output of a tool: id and duration of a command in Codex, its process in Gemini CLI. */
const OUTPUT_MARKS: readonly [RegExp, string][] = [
  [/\bChunk ID: [0-9a-f]+\nWall time: \d+(?:\.\d+)? seconds/g, 'Chunk ID: [id]\nWall time: [duration]'],
  [/\bChunk ID: [0-9a-f]+/g, 'Chunk ID: [id]'],
  [/\bProcess Group PGID: \d+/g, 'Process Group PGID: [number]'],
];

/** A text without the marks of outputs, which differ between two sessions. */
export function withoutOutputMarks(text: string): string {
  if (text.length > TEXT_LENGTH_MAX) return text;
  return OUTPUT_MARKS.reduce((result, [pattern, mark]) => result.replace(pattern, mark), text);
}

/** Longer texts are data: they stay as they are. */
const TEXT_LENGTH_MAX = 1_048_576;

/** A text without what differs between two attempts of the same agent: ids, times, durations, process ids. */
export function neutralText(text: string): string {
  if (text.length > TEXT_LENGTH_MAX) return text;
  return RULES.reduce((result, [pattern, mark]) => result.replace(pattern, mark), text);
}
