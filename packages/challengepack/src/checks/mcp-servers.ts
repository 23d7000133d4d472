import { SECRET_SCHEME, serverOfTool } from '@agentclash/domain';
import type { FieldPath } from '../decode/field-path.js';
import type { ProblemCode } from '../decode/problem-codes.js';
import type { Draft } from '../decode/shape.js';
import type { PackServer } from '../pack/model.js';
import { nearestName } from '../text/nearest-name.js';
import { unreachableHost } from '../tools/allowlist.js';
import { hostOf, type ServerProblem, serverHeaderProblem, serverUrlProblem } from '../tools/mcp-server.js';
import { secretKeysOf } from '../tools/placeholder.js';
import { admittedKinds } from '../tools/policy.js';
import { eachEntry, type PackCheck } from './pack-check.js';
import { isPolicyKnown, policyOf } from './tools.js';

type Server = Draft<PackServer>;

/** Characters of names and values of all headers of one server. */
const HEADERS_LENGTH_MAX = 8_192;
/** Of a file of a server. */
const PATH_LENGTH_MAX = 1_024;

/** The servers of tools that a pack brings, one by one and beside the other tools. */
export function checkMcpServers(check: PackCheck): void {
  const serversAt = check.paths.tools.field('mcp_servers');
  for (const [server, at] of eachEntry(check.pack.tools?.mcp_servers, serversAt)) {
    checkTransport(check, server, at);
    checkCommand(check, server, at);
    checkFiles(check, server, at.field('files'));
    checkUrl(check, server, at);
    checkHeaders(check, server, at.field('headers'));
  }
  checkNames(check, serversAt);
}

/** Members of one transport mean nothing with the other. */
const ONLY_WITH = { env: 'command', files: 'command', headers: 'url' } as const;

function checkTransport(check: PackCheck, server: Server, at: FieldPath): void {
  const isGiven = (name: 'command' | 'url') =>
    server[name] !== undefined || check.isUndecodable(at.field(name));
  const has = { command: isGiven('command'), url: isGiven('url') };
  if (has.command === has.url) {
    const message = has.url
      ? 'command and url exclude each other: a server is in the sandbox or at a URL'
      : 'a server needs a command or a url';
    check.report('exactly_one_of', at, { message });
    return;
  }
  for (const [name, transport] of Object.entries(ONLY_WITH)) {
    if (!has[transport] && check.isWritten(at.field(name))) {
      check.report('contradiction', at.field(name), { message: `this is for a server with a ${transport}` });
    }
  }
  checkAdmitted(check, has.url ? 'network' : 'shell', at.field(has.url ? 'url' : 'command'));
}

/** A server that the policy does not admit is not started. */
function checkAdmitted(check: PackCheck, kind: 'network' | 'shell', at: FieldPath): void {
  if (!isPolicyKnown(check)) return;
  if (admittedKinds(policyOf(check)).has(kind)) return;
  const message =
    kind === 'network'
      ? 'the pack does not admit the kind network, which a server at a URL needs (sandbox.network_access: true, and a tool policy with it): no agent is offered its tools'
      : 'the policy does not admit the kind shell, which a command needs: only programs are offered its tools';
  check.report('server_not_admitted', at, { message });
}

function checkCommand(check: PackCheck, { command, env }: Server, at: FieldPath): void {
  for (const [word, location] of eachEntry(command, at.field('command'))) {
    if (word.includes(SECRET_SCHEME)) check.report('wrong_reference', location);
    for (const key of secretKeysOf(word)) {
      const message = `the secret ${key} only reaches headers of a server with a url: a command is passed unchanged`;
      check.report('secret_not_allowed', location, { message });
    }
  }
  for (const name of Object.keys(env ?? {})) {
    if (!name.startsWith('AGENTCLASH_')) continue;
    const message = 'names that begin with AGENTCLASH_ are ours';
    check.report('reserved_name', at.field('env').key(name), { message, at: 'key' });
  }
}

/** Each file has a path of its own. Whether its asset exists is checked with all references to assets. */
function checkFiles(check: PackCheck, { files }: Server, filesAt: FieldPath): void {
  const assets = new Map((check.pack.version?.assets ?? []).map((asset) => [asset?.key, asset?.path]));
  const taken = new Map<string, FieldPath>();
  for (const [{ artifact_key: key, path }, at] of eachEntry(files, filesAt)) {
    const written = path ?? assets.get(key);
    const location = at.field(path === undefined ? 'artifact_key' : 'path');
    if (written === undefined || check.problems.isFaulty(location)) continue;
    if (written.length > PATH_LENGTH_MAX) {
      check.report('too_long', location, { message: `a path of at most ${PATH_LENGTH_MAX} characters` });
      continue;
    }
    const filePath = normalPath(written);
    if (filePath === '') check.report('unsafe_path', location, { message: 'the path names no file' });
    else if (taken.has(filePath))
      check.report('not_unique', location, { message: `two files at the path ${filePath}` });
    else taken.set(filePath, location);
  }
  for (const [filePath, location] of taken) {
    const folder = [...taken.keys()].find((each) => filePath.startsWith(`${each}/`));
    if (folder === undefined) continue;
    check.report('contradiction', location, { message: `${folder} is a file, and a folder of this path` });
  }
}

function normalPath(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}

const PROBLEM_CODES: Record<ServerProblem['code'], ProblemCode> = {
  wrong_reference: 'wrong_reference',
  invalid_url: 'malformed',
  secret_over_http: 'secret_over_http',
  header_not_allowed: 'reserved_name',
};

function checkUrl(check: PackCheck, { url, headers }: Server, at: FieldPath): void {
  const urlAt = at.field('url');
  if (url === undefined || check.isUndecodable(urlAt)) return;
  const problem = serverUrlProblem(url, headers ?? {});
  if (problem) {
    check.report(PROBLEM_CODES[problem.code], urlAt, { message: `this ${problem.message}` });
    return;
  }
  const sandboxAt = check.paths.version.field('sandbox');
  const { network_access: hasNetwork, network_allowlist: cidrs } = check.pack.version?.sandbox ?? {};
  const listAt = sandboxAt.field('network_allowlist');
  if (hasNetwork !== true || check.hasHoles(cidrs, listAt) || hasProblems(check, cidrs, listAt)) return;
  const known = (cidrs ?? []).flatMap((cidr) => cidr ?? []);
  const message = unreachableHost(hostOf(url) ?? '', known);
  if (message !== undefined) check.report('contradiction', urlAt, { message });
}

function hasProblems(check: PackCheck, entries: readonly unknown[] | undefined, at: FieldPath): boolean {
  return [...eachEntry(entries, at)].some(([, location]) => check.problems.isFaulty(location));
}

function checkHeaders(check: PackCheck, { headers = {} }: Server, at: FieldPath): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const location = at.key(name);
    const problem = serverHeaderProblem(name, value);
    if (problem) {
      check.report(PROBLEM_CODES[problem.code], location, { message: `this ${problem.message}` });
    }
    if (seen.has(name.toLowerCase())) check.report('not_unique', location, { at: 'key' });
    seen.add(name.toLowerCase());
    for (const key of secretKeysOf(value)) {
      if (!check.surroundings.isUnboundSecret?.(key)) continue;
      const message = `the secret ${key} is bound to no origin, so that any pack may send it anywhere: an admin sets it again with --host`;
      check.report('secret_unbound', location, { message });
    }
  }
  const length = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length <= HEADERS_LENGTH_MAX) return;
  check.report('too_long', at, { message: `at most ${HEADERS_LENGTH_MAX} characters in all headers` });
}

/** No other tool has a name that a tool of a server may have, and what is denied is a tool of a server of the pack. */
function checkNames(check: PackCheck, serversAt: FieldPath): void {
  const { custom, denied, mcp_servers: servers } = check.pack.tools ?? {};
  const names = new Set([...eachEntry(servers, serversAt)].flatMap(([{ name }]) => name ?? []));
  for (const [{ name }, at] of eachEntry(custom, check.paths.tools.field('custom'))) {
    const server = name === undefined ? undefined : serverOfTool(name);
    if (server === undefined || !names.has(server)) continue;
    const message = `names that begin with "${server}__" are those of the server "${server}"`;
    check.report('reserved_name', at.field('name'), { message });
  }
  if (check.hasHoles(servers, serversAt)) return;
  for (const [name, at] of eachEntry(denied, check.paths.tools.field('denied'))) {
    const server = serverOfTool(name);
    if (server === undefined || names.has(server)) continue;
    const near = nearestName(server, [...names]);
    const suggestion = near === undefined ? undefined : name.replace(server, near);
    check.report('unknown_reference', at, {
      message: `the pack brings no server "${server}"`,
      ...(suggestion && { suggestion }),
    });
  }
}
