import { isOfCase, parseReference, type Reference } from '../evaluation-spec/references.js';

/** `{{case.…}}` and `{{artifact.…}}`; anything else that uses braces is plain text. */
const PLACEHOLDER = /\{\{[ \t]*((?:case|artifact)\.[^{}\r\n]*?)[ \t]*\}\}/g;

/** Plain text, or a placeholder; null for one that names no part of a case. */
export type SolutionPart = { text: string } | { written: string; reference: Reference | null };

/** The parts of a template in a solution, in order. Text that is filled in is not scanned again. */
export function solutionParts(template: string): SolutionPart[] {
  const parts: SolutionPart[] = [];
  let from = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [whole, written = ''] = match;
    if (match.index > from) parts.push({ text: template.slice(from, match.index) });
    parts.push({ written, reference: caseReference(written) });
    from = match.index + whole.length;
  }
  if (from < template.length) parts.push({ text: template.slice(from) });
  return parts;
}

/** The reference to a part of the case; null for another or a malformed one. */
export function caseReference(written: string): Reference | null {
  const reference = parseReference(written);
  return reference !== null && isOfCase(reference) ? reference : null;
}
