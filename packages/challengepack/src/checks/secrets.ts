import { SECRET_SCHEME } from '@agentclash/domain';
import type { FieldPath } from '../decode/field-path.js';
import type { JsonObject, JsonValue } from '../json.js';
import { hasLiteralHost } from '../tools/literal-host.js';
import { secretKeysOf } from '../tools/placeholder.js';
import { isPlainHttpToPublicHost } from '../tools/plain-http.js';
import { textsIn } from '../tools/texts.js';
import type { PackCheck } from './pack-check.js';
import type { PlacedTool, ToolSet } from './tool-set.js';

/** The permitted positions of secrets. Skipped for a chain that does not end or is too deep. */
export function checkSecrets(check: PackCheck, placed: PlacedTool, tools: ToolSet): void {
  const reach = tools.usableReach(placed);
  if (!reach) return;
  const { tool, implementationAt } = placed;
  const isMock = tool.implementation?.type === 'mock';
  const holder: JsonValue = isMock ? mockTexts(tool.implementation) : (tool.implementation?.args ?? {});
  const base = isMock ? implementationAt : implementationAt.field('args');
  const mayHold = !isMock && reach.end === 'http_request';
  let holdsSecret = false;
  for (const [text, steps] of textsIn(holder)) {
    const at = isMock ? implementationPath(base, steps) : base.below(steps);
    if (text.includes(SECRET_SCHEME)) check.report('wrong_reference', at, { message: WRONG_REFERENCE });
    for (const key of secretKeysOf(text)) {
      holdsSecret = true;
      if (!mayHold)
        check.report('secret_not_allowed', at, { message: `the secret ${key} only reaches http_request` });
      else if (check.surroundings.isUnboundSecret?.(key))
        check.report('secret_unbound', at, { message: unboundMessage(key) });
    }
  }
  if (holdsSecret && !isMock) checkCarrier(check, tools.chainOf(placed));
}

const WRONG_REFERENCE = `${SECRET_SCHEME} is for provider accounts; here write \${secrets.NAME}`;

function unboundMessage(key: string): string {
  return `the secret ${key} is bound to no origin, so that any pack may send it anywhere: an admin sets it again with --host`;
}

/**
 * Checks a chain that carries a secret: no response goes to a file, no argument decides the host, and a public host is
 * reached by https.
 */
function checkCarrier(check: PackCheck, chain: readonly PlacedTool[]): void {
  for (const { tool, implementationAt } of chain) {
    const args = tool.implementation?.args;
    if (args && Object.hasOwn(args, 'output_path')) {
      check.report('secret_with_output_path', implementationAt.field('args').key('output_path'));
    }
  }
  const last = chain.at(-1);
  if (last?.tool.implementation?.primitive !== 'http_request') return;
  const { url } = last.tool.implementation.args ?? {};
  const urlAt = last.implementationAt.field('args').key('url');
  if (!hasLiteralHost(url)) check.report('secret_host_not_literal', urlAt);
  else if (isPlainHttpToPublicHost(url)) check.report('secret_over_http', urlAt);
}

type ImplementationDraft = PlacedTool['tool']['implementation'];

/** Everything a mock holds, whether its strategy reads it or not. */
function mockTexts(implementation: ImplementationDraft): JsonObject {
  const { args, response, lookup_key, responses, template } = implementation ?? {};
  return {
    ...(args && { args }),
    ...(response !== undefined && { response }),
    ...(lookup_key !== undefined && { lookup_key }),
    ...(responses && { responses }),
    ...(template && { template }),
  };
}

/** The first step below an implementation is one of its fields, the rest is free. */
function implementationPath(at: FieldPath, [field, ...steps]: readonly (string | number)[]): FieldPath {
  return at.field(String(field)).below(steps);
}
