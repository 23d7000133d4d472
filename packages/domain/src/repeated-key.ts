/** The first key that an object of a JSON text has twice, and the offset of its second occurrence. The text is valid JSON. */
export function repeatedKey(json: string): { key: string; offset: number } | undefined {
  const keys: Set<string>[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '{' || character === '[') keys.push(new Set());
    else if (character === '}' || character === ']') keys.pop();
    else if (character === '"') {
      const end = endOfText(json, at);
      if (isBeforeColon(json, end)) {
        const key: string = JSON.parse(json.slice(at, end));
        const seen = keys.at(-1);
        if (seen?.has(key)) return { key, offset: at };
        seen?.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** The offset after the closing quote. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isBeforeColon(json: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(json[at] ?? '.')) at += 1;
  return json[at] === ':';
}
