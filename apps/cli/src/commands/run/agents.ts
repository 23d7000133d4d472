import { agentsOf, getRun } from '../../lookup/runs.js';
import { gradedCount } from '../../scorecard/grading.js';
import type { Session } from '../../session.js';
import { score } from '../../terminal/figures.js';
import { table } from '../../terminal/table.js';

export async function run(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const items = await agentsOf(client, id);
  out.result({ items }, () =>
    table(
      items,
      [
        { title: 'AGENT', value: ({ name }) => name, style: out.paint.bold },
        { title: 'KIND', value: ({ kind }) => kind },
        { title: 'REVISION', value: ({ deployment_revision: revision }) => String(revision), align: 'right' },
        {
          title: 'GRADED',
          value: ({ progress }) => `${gradedCount(progress)}/${progress.total}`,
          align: 'right',
        },
        { title: 'RUNNING', value: ({ progress }) => String(progress.running), align: 'right' },
        { title: 'PASSED', value: ({ progress }) => String(progress.passed), align: 'right' },
        { title: 'SCORE SO FAR', value: ({ overall_so_far: overall }) => score(overall), align: 'right' },
        { title: 'ID', value: ({ id: agentId }) => agentId },
      ],
      { heading: out.paint.dim },
    ),
  );
}
