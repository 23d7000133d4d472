import {
  type EvaluationSpec,
  executionModeOf,
  readEvaluationSpec,
  SolutionError,
} from '@agentclash/challengepack';
import type { AuditAgent } from '../agents/agent.js';
import type { CheatTarget } from '../cheats/cheat.js';
import { CHEATS } from '../cheats/cheats.js';
import { shortReplyAgent } from '../cheats/texts.js';
import { withChange } from '../mutations/change.js';
import { drawMutants } from '../mutations/draw-mutants.js';
import { isGradedTool } from '../mutations/graded-tools.js';
import { TEXT_BYTES_MAX } from '../mutations/parts.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import { caseName } from '../pack/case-name.js';
import type { PackView } from '../pack/pack-view.js';
import { BytesWanted } from '../references/bytes-wanted.js';
import { graderFacts } from '../references/grader-facts.js';
import { blankAgent, echoAgent, IDLE } from '../references/reference-agents.js';
import { oracleAgent, type Solution } from '../references/solution.js';
import { solutionOfCase } from '../references/solution-of-case.js';
import { planTrial } from './plan-trial.js';
import type { Role } from './role.js';
import type { MutantsReply, MutantsTask, PlanReply, PlanTask } from './tasks.js';

export { drawCases } from '../pack/sample.js';

/** Plans the attempts of an audit of one pack: everything that reads what authors wrote. Bounded by nothing. */
export class Planner {
  private readonly spec: EvaluationSpec;

  constructor(private readonly pack: PackView) {
    this.spec = readEvaluationSpec(pack.manifest.evaluation_spec);
  }

  async plan({ case: each, role, bytes }: PlanTask): Promise<PlanReply> {
    return await replied(async () => {
      const agent = this.agentOf(role, each, bytes);
      const { pack, spec } = this;
      return { planned: agent ? planTrial(agent, each, { ...pack, spec }) : null };
    });
  }

  async mutants({ case: each, bytes, seed, most }: MutantsTask): Promise<MutantsReply> {
    return await replied(async () => {
      const solution = solutionOfCase(this.pack, each, bytes);
      if (!solution) return { mutants: [] };
      const options = { name: caseName(each), seed, most, isGradedTool: isGradedTool(this.spec) };
      return { mutants: await drawMutants(withBytes(solution, bytes), options) };
    });
  }

  private agentOf(
    role: Role,
    each: AuditedCase,
    bytes: ReadonlyMap<string, Uint8Array>,
  ): AuditAgent | undefined {
    const pack = { ...this.pack, spec: this.spec };
    const solution = () => solutionOfCase(this.pack, each, bytes);
    switch (role.kind) {
      case 'agent':
        return role.agent;
      case 'idle':
        return IDLE;
      case 'echo':
        return echoAgent(each, pack);
      case 'blank':
        return blankAgent(each, pack, solution());
      case 'oracle': {
        const own = solution();
        return own && oracleAgent(own, each, pack);
      }
      case 'mutant': {
        const own = solution();
        return own && oracleAgent(withChange(withBytes(own, bytes), role.change), each, pack);
      }
      case 'short_reply':
        return shortReplyAgent(this.target(each, solution()));
      case 'cheat':
        return CHEATS.find(({ key }) => key === role.key)?.agent(this.target(each, solution()));
    }
  }

  /** All that a cheat may know of a case. */
  private target(each: AuditedCase, solution: Solution | undefined): CheatTarget {
    const pack = { ...this.pack, spec: this.spec };
    const mode = executionModeOf(pack.manifest, each.case);
    return { pack, case: each, mode, facts: graderFacts(pack, each), ...(solution && { solution }) };
  }
}

/** The solution with the bytes of its files that are short enough for mutants. Throws BytesWanted. */
function withBytes(solution: Solution, bytes: ReadonlyMap<string, Uint8Array>): Solution {
  const wanted = solution.files.flatMap(({ content }) => {
    const isMissing = !(content instanceof Uint8Array) && !bytes.has(content.artifact_id);
    return isMissing && content.bytes <= TEXT_BYTES_MAX ? [content] : [];
  });
  if (wanted.length > 0) throw new BytesWanted(wanted);
  const files = solution.files.map(({ content, ...file }) => ({
    ...file,
    content: content instanceof Uint8Array ? content : (bytes.get(content.artifact_id) ?? content),
  }));
  return { ...solution, files };
}

async function replied<R>(
  work: () => Promise<R>,
): Promise<R | { wants: BytesWanted['refs'] } | { unusable: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BytesWanted) return { wants: error.refs };
    if (error instanceof SolutionError) return { unusable: error.message };
    throw error;
  }
}
