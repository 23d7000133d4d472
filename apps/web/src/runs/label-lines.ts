/** Labels as text, one `key=value` a line. */
export function labelLines(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
}

/** The labels in a text of such lines; empty lines count for nothing. */
export function readLabels(text: string): { labels: Record<string, string>; problem?: string } {
  const labels: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, key, value = ''] = /^\s*([^=]*[^=\s])\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined) return { labels, problem: `Line ${index + 1} must be key=value` };
    if (key in labels) return { labels, problem: `Line ${index + 1} repeats the key ${key}` };
    labels[key] = value;
  }
  return { labels };
}
