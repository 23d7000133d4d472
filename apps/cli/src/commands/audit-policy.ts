import { type ResponseOutput, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import type { Session } from '../session/session.js';
import { plural } from '../terminal/figures.js';

type Policy = ResponseOutput<typeof routes.auditPolicy.get>;

interface Input {
  require?: 'yes' | 'no';
  minStrength?: number;
  maxAgeDays?: number;
}

/** Shows the policy; with `require` replaces it. */
export async function auditPolicy(
  session: Session,
  { require: required, minStrength: min_strength, maxAgeDays: max_age_days }: Input,
): Promise<undefined> {
  const client = await session.client();
  if (required === undefined && (min_strength !== undefined || max_age_days !== undefined)) {
    throw new CommandError('usage', 'The limits of an audit need --require', {
      hint: 'Give --require yes, or --require no.',
    });
  }
  const policy =
    required === undefined
      ? await client.call(routes.auditPolicy.get)
      : await client.call(routes.auditPolicy.set, {
          body: {
            require_audit: required === 'yes',
            ...(min_strength !== undefined && { min_strength }),
            ...(max_age_days !== undefined && { max_age_days }),
          },
        });
  session.out.result(policy, () => policyLine(policy));
}

function policyLine({ require_audit, min_strength: least, max_age_days: days }: Policy): string {
  if (!require_audit) return 'runs need no audit of their version';
  const strength = least === undefined ? '' : `, with a strength of at least ${least}`;
  const age = days === undefined ? '' : `, in the last ${plural(days, 'day')}`;
  return `runs need a version that has passed its newest audit${strength}${age}`;
}
