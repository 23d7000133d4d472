import { SECRET_SCHEME } from '@agentclash/domain';
import type { JsonValue } from '../json.js';
import { hasLiteralHost } from '../tools/literal-host.js';
import { secretKeysOf } from '../tools/placeholder.js';
import { isPlainHttpToPublicHost } from '../tools/plain-http.js';
import { textsIn } from '../tools/texts.js';
import type { ToolProblem } from './inspect.js';
import type { ToolGraph } from './tool-graph.js';
import { delegations, type HandingOn, type WorkspaceToolDraft } from './workspace-tool.js';

/** The permitted positions of secrets: arguments that reach http_request and nothing else, at a host that no argument decides. */
export function secretProblems(tool: WorkspaceToolDraft, graph: ToolGraph): ToolProblem[] {
  const { implementation } = tool.definition;
  if (implementation?.mode === 'mock') {
    return secretUses({ ...implementation.mock }, 'definition.implementation.mock', false).problems;
  }
  return delegations(tool).flatMap((handing) => handingProblems(handing, graph));
}

function handingProblems(handing: HandingOn, graph: ToolGraph): ToolProblem[] {
  const reach = graph.reachOf(handing.to);
  if (reach.kind === 'endless') return [];
  const mayHold = [...reach.ends].every((end) => end === 'http_request');
  const { problems, holdsSecret } = secretUses(handing.args, handing.argsAt, mayHold);
  return holdsSecret && mayHold ? [...problems, ...carrierProblems(handing, graph)] : problems;
}

function secretUses(value: JsonValue, at: string, mayHold: boolean) {
  const problems: ToolProblem[] = [];
  let holdsSecret = false;
  for (const [text, steps] of textsIn(value)) {
    const field = [at, ...steps].join('.');
    if (text.includes(SECRET_SCHEME)) {
      const message = `${SECRET_SCHEME} is for provider accounts; here write \${secrets.NAME}`;
      problems.push({ code: 'wrong_reference', field, message });
    }
    for (const key of secretKeysOf(text)) {
      holdsSecret = true;
      if (!mayHold) {
        problems.push({
          code: 'secret_not_allowed',
          field,
          message: `the secret ${key} only reaches http_request`,
        });
      }
    }
  }
  return { problems, holdsSecret };
}

/** Checks everything that a secret passes through. */
function carrierProblems(handing: HandingOn, graph: ToolGraph): ToolProblem[] {
  const passed = graph.chainOf(handing.to).flatMap((tool) =>
    delegations(tool).map((each) => ({
      ...each,
      argsAt: handing.nameAt,
      nameAt: handing.nameAt,
      of: `"${tool.name}", which it passes through, `,
    })),
  );
  return [{ ...handing, of: '' }, ...passed].flatMap(({ to, args, argsAt, of }): ToolProblem[] => {
    const field = (name: string) => (of === '' ? `${argsAt}.${name}` : argsAt);
    const problems: ToolProblem[] = [];
    if (Object.hasOwn(args, 'output_path')) {
      const message = `${of}writes the response to a file; a response to a request with a secret cannot be`;
      problems.push({ code: 'secret_with_output_path', field: field('output_path'), message });
    }
    if (to === 'http_request' && !hasLiteralHost(args.url)) {
      const message = `${of}needs a url with literal scheme and host, as the request carries a secret`;
      problems.push({ code: 'secret_host_not_literal', field: field('url'), message });
    } else if (to === 'http_request' && isPlainHttpToPublicHost(args.url)) {
      const message = `${of}sends a secret over plain http to a public host; write https`;
      problems.push({ code: 'secret_over_http', field: field('url'), message });
    }
    return problems;
  });
}
