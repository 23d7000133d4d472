/** The settings of the server that one source holds. */
export interface SettingsSource {
  /** Shown to people: a file's path, `environment`, `options`. */
  origin: string;
  api_url?: string | undefined;
  token?: string | undefined;
  /** The operator's, of an installation whose owner wrote it down. */
  operator_token?: string | undefined;
  workspace?: string | undefined;
  /** A file's token is for the server that the same file names, and is shown to no other. */
  isFile?: boolean;
  /** It comes with a project, whose author need not be the user: it may not choose where the user's token goes. */
  isProject?: boolean;
}

export interface Setting {
  value: string;
  origin: string;
}

export interface Settings {
  apiUrl: Setting | undefined;
  /** A token that is not sent, because only a project file names the server. */
  withheldToken?: Setting;
  token: Setting | undefined;
  operatorToken: Setting | undefined;
  workspace: Setting | undefined;
}

/** Each setting from the first source, in order of precedence, that has it. */
export function resolveSettings(sources: readonly SettingsSource[]): Settings {
  const apiUrl = first(sources, 'api_url');
  const isTrusted = sources.some(
    (source) =>
      source.isProject !== true && source.api_url !== undefined && sameServer(source.api_url, apiUrl?.value),
  );
  const lenders = sources.filter((source) => mayLendToken(source, apiUrl?.value, isTrusted));
  const token = first(lenders, 'token');
  const withheldToken = token === undefined && apiUrl !== undefined ? first(sources, 'token') : undefined;
  return {
    apiUrl,
    ...(withheldToken !== undefined && { withheldToken }),
    token,
    operatorToken: first(lenders, 'operator_token'),
    workspace: first(
      sources.filter((source) => knowsWorkspacesOf(source, apiUrl?.value)),
      'workspace',
    ),
  };
}

function first(
  sources: readonly SettingsSource[],
  name: 'api_url' | 'token' | 'operator_token' | 'workspace',
): Setting | undefined {
  for (const { origin, [name]: value } of sources) {
    if (value !== undefined && value !== '') return { value, origin };
  }
  return undefined;
}

/**
 * The token of a file is for the server that the same file names. One from the options or the environment names none:
 * it is for a server that the user chose, there or in a file of the user's own.
 */
function mayLendToken(
  { isFile, api_url }: SettingsSource,
  apiUrl: string | undefined,
  isTrusted: boolean,
): boolean {
  return isFile ? api_url !== undefined && sameServer(api_url, apiUrl) : isTrusted || apiUrl === undefined;
}

/** A file that names a server names workspaces there; one that names none applies to any. */
function knowsWorkspacesOf({ isFile, api_url }: SettingsSource, apiUrl: string | undefined): boolean {
  return !isFile || api_url === undefined || sameServer(api_url, apiUrl);
}

function sameServer(left: string, right: string | undefined): boolean {
  return right !== undefined && left.replace(/\/+$/, '') === right.replace(/\/+$/, '');
}
