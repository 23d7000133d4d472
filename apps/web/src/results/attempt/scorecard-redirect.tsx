import { Redirect } from 'wouter';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { attemptAddress } from '../full-attempt.js';

/** The earlier address of the scores of an attempt. */
export default function ScorecardRedirect({ params: { attemptId } }: ScreenProps<'attemptId'>) {
  return <Redirect to={`${attemptAddress(attemptId, { tab: 'scores' })}${location.hash}`} replace />;
}
