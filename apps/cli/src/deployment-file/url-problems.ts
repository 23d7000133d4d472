import type { KindName } from '../resources/kind-names.js';
import type { Problem } from '../yaml/problem-line.js';
import type { FieldPath, YamlFile } from '../yaml/yaml-file.js';

/** Members that hold the url of a server. */
const URLS: { readonly [K in KindName]?: FieldPath } = {
  deployment: ['config', 'url'],
  provider_account: ['base_url'],
};

/** The problems of a url that are found without a server: another scheme than HTTP, a user name or a password. */
export function urlProblems(
  { kind, authored, at }: { kind: KindName; authored: unknown; at: FieldPath },
  source: YamlFile,
): Problem[] {
  const path = URLS[kind];
  const url = path?.reduce<unknown>(memberOf, authored);
  if (path === undefined || typeof url !== 'string' || url === '') return [];
  const message = problemOf(url);
  return message === undefined ? [] : [source.problemAt([...at, ...path], { code: 'invalid_url', message })];
}

function problemOf(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    return 'must be a url that begins with https:// or http://';
  }
  const isNamed = parsed.username !== '' || parsed.password !== '';
  return isNamed ? 'must not hold a name or password: credential_reference names a secret' : undefined;
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
}
