type Parsed = { value: unknown } | { problem: string };

/** The value of a text in JSON or YAML, or a sentence that says why there is none. */
export async function parseText(text: string): Promise<Parsed> {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const parsed = await parseYaml(text);
    // Whoever meant to write JSON is helped by what is wrong with it as JSON.
    const isMeantAsJson = 'problem' in parsed && /^\s*[{[]/.test(text);
    return isMeantAsJson ? { problem: `This is not JSON: ${firstLineOf(error)}` } : parsed;
  }
}

async function parseYaml(text: string): Promise<Parsed> {
  // Loaded when it is first needed: most specs are JSON.
  const yaml = await import('yaml').catch(() => undefined);
  if (yaml === undefined) return { problem: 'This is not JSON, and what reads YAML could not be loaded.' };
  try {
    return { value: yaml.parse(text, { logLevel: 'error' }) };
  } catch (error) {
    const isSeveral = error instanceof yaml.YAMLParseError && error.code === 'MULTIPLE_DOCS';
    if (isSeveral) return { problem: 'These are several documents; a spec is one.' };
    return { problem: `This is neither JSON nor YAML: ${firstLineOf(error)}` };
  }
}

/** Below it a parser draws the place, which needs lines of its own. */
function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/:$/, '');
}
