import type { Client } from 'pg';

/** As much of psql as the file of roles uses: `\getenv`, `:'name'` and `\gexec`. */
export async function runScript(
  client: Client,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const variables = new Map<string, string>();
  const lines = script.split('\n').filter((line) => {
    const [, name, variable] = /^\\getenv (\w+) (\w+)$/.exec(line) ?? [];
    if (name === undefined || variable === undefined) return !line.startsWith('--');
    const value = environment[variable];
    if (value === undefined) throw new Error(`${variable} is not in the environment`);
    variables.set(name, value);
    return false;
  });
  for (const [, text = '', isMade] of lines.join('\n').matchAll(/([^;\\]+)(?:;|(\\gexec))/g)) {
    const statement = text.replace(/:'(\w+)'/g, (_, name: string) =>
      client.escapeLiteral(variables.get(name) ?? ''),
    );
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
    if (isMade) for (const [made] of rows) await client.query(String(made));
  }
}
