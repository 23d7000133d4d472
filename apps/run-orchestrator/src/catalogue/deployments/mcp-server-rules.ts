import {
  isPlaceholder,
  isPlainHttpToPublicHost,
  secretKeysOf,
  templateParts,
} from '@agentclash/challengepack';
import type { FieldProblem, McpServer } from '@agentclash/contracts';
import { SECRET_SCHEME } from '@agentclash/domain';
import { environmentProblems, secretReferences, unsendable } from './literal-values.js';

/** The protocol's own. */
const RESERVED_HEADERS = new Set(['content-type', 'accept', 'mcp-session-id', 'mcp-protocol-version']);

/** The settings of servers that cannot work, or would send a secret to a host that it is not meant for. */
export function mcpServerProblems(servers: readonly McpServer[]): FieldProblem[] {
  return servers.flatMap((server, index) => {
    const at = `config.mcp_servers[${index}]`;
    const { command = [], env = {}, url, headers = {} } = server;
    const ofCommand = secretReferences(
      Object.fromEntries(command.entries()),
      `${at}.command`,
      'is passed as it stands: no secret reaches the sandbox',
    );
    return [
      ...ofCommand,
      ...environmentProblems(env, `${at}.env`),
      ...(url === undefined ? [] : urlProblems(url, headers, at)),
      ...headerProblems(headers, `${at}.headers`),
    ];
  });
}

/** The secrets that the headers of servers hold. */
export function mcpServerSecrets(servers: readonly Pick<McpServer, 'name' | 'headers'>[]): string[] {
  return servers.flatMap(({ headers = {} }) => secretsIn(headers));
}

function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).flatMap(secretKeysOf);
}

/** Addresses are checked at each request, by the network that the pack grants. */
function urlProblems(text: string, headers: Readonly<Record<string, string>>, at: string): FieldProblem[] {
  const field = `${at}.url`;
  const problem = (code: string, message: string) => [{ code, field, message }];
  if (text.includes('${')) return problem('wrong_reference', 'is literal: secrets are for headers');
  if (!URL.canParse(text))
    return problem('invalid_url', 'must be an absolute URL such as https://mcp.example.com/mcp');
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return problem('invalid_url', 'must begin with https:// or http://');
  }
  if (username !== '' || password !== '') {
    return problem('invalid_url', 'must not hold a user name or password: a header may hold a secret');
  }
  if (hash !== '') return problem('invalid_url', 'must not hold a fragment');
  if (secretsIn(headers).length === 0 || !isPlainHttpToPublicHost(text)) return [];
  return problem(
    'secret_over_http',
    'sends a secret over plain http to a public host, where others can read it: write https',
  );
}

function headerProblems(headers: Readonly<Record<string, string>>, field: string): FieldProblem[] {
  return [
    ...unsendable(headers, field),
    ...Object.entries(headers).flatMap(([name, value]) => {
      const message = headerProblem(name, value);
      return message === undefined
        ? []
        : [{ code: message[0], field: `${field}.${name}`, message: message[1] }];
    }),
  ];
}

function headerProblem(name: string, value: string): [code: string, message: string] | undefined {
  if (RESERVED_HEADERS.has(name.toLowerCase())) return ['header_not_allowed', 'is set by the protocol'];
  if (value.includes(SECRET_SCHEME)) return ['wrong_reference', 'names a secret as ${secrets.KEY}'];
  const wrong = templateParts(value).find(
    (part) =>
      typeof part !== 'string' && !(isPlaceholder(part) && part.ref.kind === 'secret' && !part.encoding),
  );
  if (wrong === undefined) return undefined;
  return ['wrong_reference', 'may hold ${secrets.KEY} and no other placeholder: write $${ for a literal ${'];
}
