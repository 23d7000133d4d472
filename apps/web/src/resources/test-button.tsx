import { type ResponseOutput, routes } from '@agentclash/api';
import { useMutation } from '@tanstack/react-query';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { formatDuration } from '../design/format.js';
import { useMay, useSession } from '../session/session.js';
import { callResult } from './call-result.js';

type ModelCallReport = ResponseOutput<typeof routes.providerAccounts.test>;

interface TestButtonProps {
  /** The name of the tested thing. */
  name: string;
  /** The model to call; without it, that of the oldest alias of the account. */
  connection: () => Promise<{ accountId: string; model?: string }>;
}

/** Calls a model once, as an agent would call it, and shows what happened. */
export function TestButton({ name, connection }: TestButtonProps) {
  const { client } = useSession();
  const mayTest = useMay('admin');
  const test = useMutation<ModelCallReport>({
    mutationFn: async () => {
      const { accountId, model } = await connection();
      const params = { provider_account_id: accountId };
      return await client.call(routes.providerAccounts.test, { params, body: model ? { model } : {} });
    },
  });
  if (!mayTest) return null;
  const { data, error } = test;
  return (
    <>
      <span role="status">
        {data?.ok && <Badge tone="good">OK, {formatDuration(data.latency_ms)}</Badge>}
        {data?.error && <CallFailure error={data.error} />}
        {error && <Badge tone="bad">{error.message}</Badge>}
      </span>
      <Button kind="quiet" isBusy={test.isPending} onClick={() => test.mutate()} aria-label={`Test ${name}`}>
        Test
      </Button>
    </>
  );
}

function CallFailure({ error }: { error: NonNullable<ModelCallReport['error']> }) {
  const { title, step } = callResult(error.class);
  return (
    <>
      <Badge tone="bad">{title}</Badge> <span>{error.message}</span> <span>{step}</span>
    </>
  );
}
