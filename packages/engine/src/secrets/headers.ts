import { CREDENTIAL_HEADERS } from '@agentclash/egress';
import { MARK, type Redactor } from '@agentclash/redaction';

const HIDDEN = new Set([...CREDENTIAL_HEADERS, 'set-cookie', 'www-authenticate']);

/** Response headers as an agent may see them: those that carry credentials are hidden whole. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redactor.text(name),
      HIDDEN.has(name.toLowerCase()) ? MARK : redactor.text(value),
    ]),
  );
}
