import { routes, type ScorecardReply } from '@agentclash/api';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useRead } from '../../data/use-read.js';
import { type AttemptScorecard, readScorecard } from './read-scorecard.js';

const REFRESH_MS = 2_000;
/** Slower for a scored attempt, which may be retried or scored again. */
const SETTLED_REFRESH_MS = 15_000;

/** The scorecard of an attempt, kept up to date: as it was received, and as it is read; null where there is none yet. */
export function useScorecard(attempt_id: string): {
  read: UseQueryResult<ScorecardReply>;
  card: AttemptScorecard | null;
} {
  const read: UseQueryResult<ScorecardReply> = useRead(
    routes.attempts.scorecard,
    { params: { attempt_id } },
    { refetchInterval: (data) => (data?.state === 'pending' ? REFRESH_MS : SETTLED_REFRESH_MS) },
  );
  const scorecard = read.data?.scorecard ?? null;
  const card = useMemo(() => (scorecard === null ? null : readScorecard(scorecard)), [scorecard]);
  return { read, card };
}
