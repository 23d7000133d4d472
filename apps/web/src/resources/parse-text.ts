type Parsed = { value: unknown } | { problem: string };

/** The value of a JSON or YAML text, or the problem with it. */
export async function parseText(text: string): Promise<Parsed> {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const parsed = await parseYaml(text);
    // A text that looks like JSON gets the message of the JSON parser.
    const isMeantAsJson = 'problem' in parsed && /^\s*[{[]/.test(text);
    return isMeantAsJson ? { problem: `Invalid JSON: ${firstLineOf(error)}` } : parsed;
  }
}

async function parseYaml(text: string): Promise<Parsed> {
  // Loaded when it is first needed: most specs are JSON.
  const yaml = await import('yaml').catch(() => undefined);
  if (yaml === undefined) return { problem: 'This is not JSON, and the YAML parser could not be loaded.' };
  try {
    return { value: yaml.parse(text, { logLevel: 'error' }) };
  } catch (error) {
    const isSeveral = error instanceof yaml.YAMLParseError && error.code === 'MULTIPLE_DOCS';
    if (isSeveral) return { problem: 'A spec is a single document; this text has several.' };
    return { problem: `Invalid YAML: ${firstLineOf(error)}` };
  }
}

/** The lines after it are a code frame of the parser. */
function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/:$/, '');
}
