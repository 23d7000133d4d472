import { routes } from './routes/routes.js';

type Json = Record<string, unknown>;

type Content = Record<string, { schema?: Json }>;

interface ResponseObject {
  description: string;
  content?: Content;
}

interface Operation {
  method: string;
  path: string;
  about: Json;
}

/** The style of the page, which runs no script and loads nothing. */
const STYLE = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 20%,transparent)}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre,kbd{font:13px/1.45 ui-monospace,monospace}
pre{overflow:auto;padding:.75rem;border:1px solid var(--line);border-radius:.4rem}
nav ul{columns:3 12rem;padding-left:1rem}
details{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0;padding:.4rem .8rem}
summary{cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:4.2rem}
table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
`;

/** The style that the page's content security policy must allow. */
export const REFERENCE_STYLE = STYLE;

/** The OpenAPI document as an HTML page. */
export function referencePage(document: Json): string {
  const { title, version, description } = document.info as Record<string, string>;
  const operations = operationsOf(document);
  const tags = Object.keys(routes);
  const { schemas = {} } = document.components as { schemas?: Record<string, Json> };
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(title)} API</title><style>${STYLE}</style></head><body>
<h1>${text(title)} API</h1>
<p>${text(description)} Version ${text(version)}; the same as a machine reads it: <a href="/v1/openapi.json">openapi.json</a>.</p>
<nav><ul>${tags.map((tag) => `<li><a href="#${text(tag)}">${text(words(tag))}</a></li>`).join('')}</ul></nav>
${tags.map((tag) => section(tag, operations)).join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(schemas)
  .map(
    ([name, schema]) =>
      `<details id="schema-${text(name)}"><summary><b>${text(name)}</b></summary>${json(schema)}</details>`,
  )
  .join('\n')}
</body></html>
`;
}

function operationsOf({ paths }: Json): Operation[] {
  return Object.entries(paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => ({ method: method.toUpperCase(), path, about })),
  );
}

function section(tag: string, all: readonly Operation[]): string {
  const own = all.filter(({ about }) => (about.tags as string[]).includes(tag));
  return `<h2 id="${text(tag)}">${text(words(tag))}</h2>\n${own.map(operation).join('\n')}`;
}

function operation({ method, path, about }: Operation): string {
  const parameters = about.parameters as Json[];
  const body = about.requestBody as { content: Content } | undefined;
  const responses = Object.entries(about.responses as Record<string, ResponseObject>);
  return `<details id="${text(about.operationId)}"><summary><b>${method}</b> <code>${text(path)}</code><br>${text(about.summary)}</summary>
<p>Access: <kbd>${text(about['x-access'])}</kbd></p>
${parameters.length === 0 ? '' : table(['Parameter', 'In', 'Description'], parameters.map(parameterRow))}
${body === undefined ? '' : contents('Body', body.content)}
${table(['Status', 'When', 'Content'], responses.map(responseRow))}
</details>`;
}

function parameterRow({ name, in: location, required, schema }: Json): string[] {
  return [`<code>${text(name)}</code>${required ? ' *' : ''}`, text(location), inline(schema as Json)];
}

function responseRow([status, { description, content = {} }]: [string, ResponseObject]): string[] {
  const kinds = Object.entries(content).map(([type, { schema }]) => `${text(type)} ${inline(schema)}`);
  return [text(status), text(description), kinds.join('<br>')];
}

function contents(title: string, content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `<p>${title}: ${text(type)} ${inline(schema)}</p>`)
    .join('');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>${row(heads, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
}

/** A reference as a link, a short schema inline, a long one collapsed. */
function inline(schema: Json | undefined): string {
  if (schema === undefined) return '';
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
  if (name !== undefined) return `<a href="#schema-${text(name)}">${text(name)}</a>`;
  const short = JSON.stringify(schema);
  return short.length <= 80
    ? `<code>${text(short)}</code>`
    : `<details><summary>schema</summary>${json(schema)}</details>`;
}

function json(value: unknown): string {
  return `<pre>${text(JSON.stringify(value, null, 1))}</pre>`;
}

/** `gatePolicies` as "gate policies". */
function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function text(value: unknown): string {
  return String(value ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}
