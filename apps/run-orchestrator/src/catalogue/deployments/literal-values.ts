import type { FieldProblem } from '@agentclash/contracts';
import { checkHttpRequest, EgressError } from '@agentclash/egress';

type Literals = Readonly<Record<string, string>>;

/** Headers of an endpoint that no request can carry, or that hold what looks like a secret but is sent unchanged. */
export function headerProblems(
  headers: Literals,
  { hasCredential }: { hasCredential: boolean },
): FieldProblem[] {
  const field = 'config.headers';
  const authorization = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  const message = 'must not hold Authorization beside a credential_reference';
  return [
    ...unsendable(headers, field),
    ...(hasCredential && authorization !== undefined ? [{ code: 'contradiction', field, message }] : []),
    ...secretReferences(headers, field, 'is sent unchanged: name the secret in credential_reference'),
  ];
}

/** Variables of a program that override ours, or that hold what looks like a secret but is set unchanged. */
export function environmentProblems(env: Literals, field = 'config.env'): FieldProblem[] {
  const reserved = Object.keys(env).filter((name) => name.startsWith('AGENTCLASH_'));
  return [
    ...reserved.map((name) => ({
      code: 'reserved_name',
      field: `${field}.${name}`,
      message: 'names that begin with AGENTCLASH_ are ours',
    })),
    ...secretReferences(env, field, 'is set unchanged: no secret reaches a program'),
  ];
}

export function unsendable(headers: Literals, field: string): FieldProblem[] {
  try {
    checkHttpRequest({ method: 'POST', headers }, 'operator');
    return [];
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const { code, header, message } = error;
    const location = header === undefined ? field : `${field}.${header}`;
    return [{ code, field: location, message: message.slice(`${code}: `.length) }];
  }
}

const SECRET_REFERENCE = /\$\{\s*secrets\.|^\s*workspace-secret:\/\//;

export function secretReferences(values: Literals, field: string, message: string): FieldProblem[] {
  return Object.entries(values)
    .filter(([, value]) => SECRET_REFERENCE.test(value))
    .map(([name]) => ({ code: 'wrong_reference', field: `${field}.${name}`, message }));
}
