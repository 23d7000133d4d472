/** Roles in a workspace, in ascending order; a role may do all that the lower ones may. */
export const ROLES = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The binding of a secret. `origin`: the origins in `hosts`. `any`: none, by choice. `host` and `unbound` were stored
 * before bindings were to origins: by host alone for any scheme and port, or not at all.
 */
export const SECRET_BINDINGS = ['origin', 'any', 'host', 'unbound'] as const;
export type SecretBinding = (typeof SECRET_BINDINGS)[number];

/** The permission of credentials in environment variables of the processes that call providers. */
export const CREDENTIALS_ENV_CHOICES = ['allow', 'deny'] as const;
export type CredentialsEnvChoice = (typeof CREDENTIALS_ENV_CHOICES)[number];
