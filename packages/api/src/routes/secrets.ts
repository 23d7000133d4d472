import { KeyRingStatus, MasterKeyId, vault } from '@agentclash/contracts';
import { formatBytes } from '@agentclash/domain';
import { z } from 'zod';
import { queryOf } from './list-query.js';
import { route } from './route.js';

/** The messages of the rule name the key. */
const params = { key: vault.set.input.shape.key };
const path = '/v1/workspaces/{ws}/secrets';

const SECRET_VALUE_BYTES_MAX = 65_536;

/** The same rule for OpenAPI. */
const EITHER = { oneOf: [{ required: ['hosts'] }, { required: ['any'] }] };

const BINDING_MISSING =
  'is required: the origins that may receive the value, such as ["api.example.com"] or ["http://127.0.0.1:8080"]; or give "any": true';

export const SecretValue = z
  .strictObject({
    /** 1 byte to 64 KiB of UTF-8. */
    value: z
      .string()
      .min(1, 'must have at least 1 character')
      .max(SECRET_VALUE_BYTES_MAX, `must have at most ${SECRET_VALUE_BYTES_MAX} characters`)
      .refine((value) => !/\p{Surrogate}/u.test(value), 'must be well-formed Unicode')
      .refine(
        (value) => new TextEncoder().encode(value).length <= SECRET_VALUE_BYTES_MAX,
        `must have at most ${formatBytes(SECRET_VALUE_BYTES_MAX)}`,
      ),
    /**
     * The origins that may receive the value, such as `http://127.0.0.1:8080`; a host alone, such as
     * `api.example.com` or `*.example.com`, is https on port 443.
     */
    hosts: vault.set.input.shape.hosts.unwrap().optional(),
    /** Instead of `hosts`: the value may be sent wherever a pack or a deployment of any member sends it. */
    any: z.literal(true).optional(),
  })
  .superRefine(({ hosts = [], any = false }, refused) => {
    const isBound = hosts.length > 0;
    if (isBound && any)
      refused.addIssue({ code: 'custom', path: ['any'], message: 'cannot be given with hosts' });
    if (isBound || any) return;
    refused.addIssue({
      code: 'invalid_type',
      expected: 'array',
      input: undefined,
      path: ['hosts'],
      message: BINDING_MISSING,
    });
  })
  .meta(EITHER);

export const secretRoutes = {
  list: route({
    method: 'GET',
    path,
    access: 'admin',
    summary: 'Names and metadata of secrets, never their values',
    response: vault.list.output,
    status: 200,
  }),
  set: route({
    method: 'PUT',
    path: `${path}/{key}`,
    access: 'admin',
    summary: 'Set or replace a secret',
    params,
    body: SecretValue,
    response: 'none',
    status: 204,
  }),
  remove: route({
    method: 'DELETE',
    path: `${path}/{key}`,
    access: 'admin',
    summary: 'Delete a secret',
    params,
    response: 'none',
    status: 204,
  }),
  audit: route({
    method: 'GET',
    path: '/v1/workspaces/{ws}/secret-audit',
    access: 'admin',
    summary: 'Who set, deleted and opened secrets, when and for which attempt; newest first',
    query: queryOf(vault.audit.input, 'workspace_id'),
    response: vault.audit.output,
    status: 200,
  }),
};

const keysPath = '/v1/vault-keys';

export const vaultKeyRoutes = {
  status: route({
    method: 'GET',
    path: keysPath,
    access: 'operator',
    summary: 'The master keys by id and how many secrets each wraps; never a key',
    response: KeyRingStatus,
    status: 200,
  }),
  rotate: route({
    method: 'POST',
    path: `${keysPath}/rotate`,
    access: 'operator',
    summary:
      'Have the vault reload its keys, create a new one where it manages them, and re-encrypt all secrets in the background',
    response: KeyRingStatus,
    status: 202,
  }),
  retire: route({
    method: 'POST',
    path: `${keysPath}/{key}/retire`,
    access: 'operator',
    summary:
      'Retire a key, so that it encrypts nothing any more and can be removed; 409 while secrets need it',
    params: { key: MasterKeyId },
    response: KeyRingStatus,
    status: 200,
    conflicts: 'Secrets need the key',
  }),
};
