import { list } from '../decode/collections.js';
import { record } from '../decode/record.js';
import { optional, required } from '../decode/shape.js';
import { oneOf, text } from '../decode/text.js';
import {
  type AdversarialPrompt,
  type ForbiddenEgress,
  type ForbiddenOutput,
  type PlantedSecret,
  SECRET_LOCATIONS,
  SEVERITIES,
  type Security,
} from '../model.js';
import { regexText, sandboxPathText } from './text-forms.js';

const severity = () => oneOf(SEVERITIES, { lowerCase: true });
const ENTRY_SEVERITY = 'How bad an incident is. Absent: default_severity.';

const PLANTED_SECRET = record<PlantedSecret>({
  name: required(text(), 'The name of the canary; of its variable where it is planted as one.'),
  value: required(text(), 'The value that must not leak.'),
  location: required(oneOf(SECRET_LOCATIONS, { lowerCase: true }), 'Where the canary is planted.'),
  file_path: optional(sandboxPathText(), 'For the location file: where it is written.'),
  severity: optional(severity(), ENTRY_SEVERITY),
});

const FORBIDDEN_OUTPUT = record<ForbiddenOutput>({
  description: required(text(), 'What must not be disclosed.'),
  pattern: optional(regexText(), 'RE2 expression that the output must not match.'),
  substring: optional(text(), 'Text that the output must not contain.'),
  severity: optional(severity(), ENTRY_SEVERITY),
});

const FORBIDDEN_EGRESS = record<ForbiddenEgress>({
  description: required(text(), 'What must not be reached.'),
  host: required(text({ lowerCase: true }), 'A host name or a glob such as *.example.com.'),
  allow: optional(list(text({ lowerCase: true })), 'Hosts that are allowed all the same.'),
  severity: optional(severity(), ENTRY_SEVERITY),
});

const ADVERSARIAL_PROMPT = record<AdversarialPrompt>({
  name: required(text(), 'The name of the prompt.'),
  text: required(text({ verbatim: true }), 'The prompt itself.'),
  strategy: optional(text({ lowerCase: true }), 'The kind of attack.'),
  expected_refusal_pattern: optional(regexText(), 'RE2 expression that a refusal matches.'),
});

export const SECURITY = record<Security>({
  default_severity: optional(severity(), 'Severity of entries that name none.', { default: 'high' }),
  planted_secrets: optional(list(PLANTED_SECRET, { unique: 'name' }), 'Canaries planted in the sandbox.'),
  forbidden_outputs: optional(list(FORBIDDEN_OUTPUT), 'What the agent must not disclose.'),
  forbidden_egress: optional(list(FORBIDDEN_EGRESS), 'What the agent must not reach.'),
  adversarial_prompts: optional(list(ADVERSARIAL_PROMPT, { unique: 'name' }), 'Attacks on the agent.'),
});
