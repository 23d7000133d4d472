import { routes, type ScorecardReply } from '@agentclash/api';
import { Answer } from '../../data/answer.js';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { Empty } from '../../design/empty.js';
import { formatScore } from '../../design/format.js';
import type { ScreenProps } from '../../screens.js';
import { AttemptFrame } from '../replay/attempt-frame.js';
import { readScorecard } from './read-scorecard.js';
import { ScoreLines } from './score-lines.js';

const REFRESH_MS = 2_000;

/** What one attempt earned, and why. */
export default function AttemptScorecardScreen({ params: { attemptId } }: ScreenProps<'attemptId'>) {
  const read = useRead(
    routes.attempts.scorecard,
    { params: { attempt_id: attemptId } },
    { refetchInterval: (data) => (data?.state === 'pending' ? REFRESH_MS : false) },
  );
  return (
    <AttemptFrame attemptId={attemptId} tab="scorecard">
      {() => (
        <Answer of={read} what="the scorecard">
          {(reply) => <Card reply={reply} attemptId={attemptId} />}
        </Answer>
      )}
    </AttemptFrame>
  );
}

function Card({ reply, attemptId }: { reply: ScorecardReply; attemptId: string }) {
  const { state, scorecard, failure, revision } = reply;
  if (state === 'pending') return <Empty title="This attempt has not been scored yet." />;
  if (scorecard === null) {
    return (
      <Empty title="There is no scorecard.">
        {failure && <p>{`${failure.code}: ${failure.message}`}</p>}
      </Empty>
    );
  }
  const card = readScorecard(scorecard);
  return (
    <>
      <p>
        Overall <strong className="figures">{formatScore(card.overall)}</strong>,{' '}
        {card.reason.replaceAll('_', ' ')}.{' '}
        <Badge tone={card.validity === 'valid' ? 'neutral' : 'warn'}>{card.validity}</Badge>{' '}
        <Badge>{card.strategy}</Badge>{' '}
        {revision !== null && revision > 1 && <Badge>revision {revision}</Badge>}
      </p>
      {card.warnings.map((warning) => (
        <p key={warning}>
          <Badge tone="warn">{warning}</Badge>
        </p>
      ))}
      <ScoreLines card={card} attemptId={attemptId} />
    </>
  );
}
