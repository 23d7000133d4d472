import { expectNear } from '@agentclash/testkit/near';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import type { Standing } from '../../ranking/ranking.js';
import { rankStandings } from '../../ranking/ranking.js';

interface Vector {
  id: string;
  agents: Standing[];
  want: { ranking: unknown };
}

export const driver: VectorDriver<Vector> = {
  run({ agents, want }) {
    expectNear(rankStandings(agents), want.ranking);
  },
};
