import { SECRET_SCHEME } from '@agentclash/domain';
import { list, map } from '../decode/collections.js';
import { boolean, integer, largeInteger, number } from '../decode/numbers.js';
import { record } from '../decode/record.js';
import { optional, type Shape, withOptions } from '../decode/shape.js';
import { oneOf, type TextProblem, text } from '../decode/text.js';
import { cidrText, relativePathText, sandboxPathText, VARIABLE_NAME } from '../decode/text-forms.js';
import { isJsonObject, type JsonValue } from '../json.js';
import {
  type CaseSandbox,
  type Filesystem,
  type SandboxPolicy,
  TOOL_KINDS,
  type ToolPolicy,
} from '../pack/model.js';

/** Null is never read as an absent policy: an empty line must not widen one. */
function policy<T extends object>(shape: Shape<T>): Shape<T> {
  const { properties } = shape.schema;
  const fields = Object.entries(isJsonObject(properties) ? properties : {});
  const strict = Object.fromEntries(fields.map(([name, field]) => [name, withoutNull(field)]));
  return withOptions({ nullIsProblem: true }, { ...shape, schema: { ...shape.schema, properties: strict } });
}

function withoutNull(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema) || !Array.isArray(schema.type)) return schema;
  return { ...schema, type: schema.type.filter((type) => type !== 'null') };
}

export const TOOL_POLICY = policy(
  record<ToolPolicy>({
    allowed_tool_kinds: optional(
      list(oneOf(TOOL_KINDS, { lowerCase: true })),
      'Kinds of built-in tools the agent may use. Empty or absent: every kind but shell.',
    ),
    allow_shell: optional(boolean(), 'Whether the agent may run commands. The kind shell means the same.', {
      default: false,
    }),
    allow_network: optional(
      boolean(),
      'Whether the agent gets network tools. Absent: follows sandbox.network_access.',
    ),
  }),
);

export const FILESYSTEM = policy(
  record<Filesystem>({
    working_directory: optional(
      sandboxPathText(),
      'Where the agent starts; relative paths count from here.',
      {
        default: '/workspace',
      },
    ),
    readable_roots: optional(
      list(sandboxPathText()),
      'Where the agent may read. Absent: the working directory.',
    ),
    writable_roots: optional(
      list(sandboxPathText()),
      'Where the agent may write. Absent: the working directory.',
    ),
    max_workspace_bytes: optional(largeInteger({ min: 1 }), 'Disk space of the workspace, in bytes.'),
  }),
);

const VARIABLE_RULES: readonly (TextProblem & { mark: string })[] = [
  {
    mark: '${',
    code: 'env_placeholder',
    message: 'environment values are literals; for remote authentication use headers of http_request',
  },
  { mark: SECRET_SCHEME, code: 'wrong_reference' },
];

/** Variables of processes in the sandbox, as literals. */
export const ENVIRONMENT: Shape<Record<string, string>> = map(
  text({ verbatim: true, blank: 'value', check: variableProblems }),
  { checkKey: variableNameProblem, keyPattern: VARIABLE_NAME },
);

/** Published with a digest alone: two runs of a version have the same image. */
const IMAGE = text({
  pattern: /^[a-zA-Z0-9][a-zA-Z0-9._:/-]{0,400}(?:@sha256:[0-9a-f]{64})?$/,
  form: 'an image by its digest, NAME@sha256: and 64 lower-case hexadecimal digits; `docker images --digests` and `skopeo inspect` show it',
});

const IMAGE_FIELDS = {
  image: optional(
    IMAGE,
    'A container image whose root the sandbox has, writable as far as its user may; by its digest, or by a tag that `challenge-pack publish` pins.',
  ),
  dockerfile: optional(
    relativePathText(),
    'In place of an image: the path of an asset from which one is built before the race. The assets in its folder are the context.',
  ),
  build_network_access: optional(
    boolean(),
    'Whether the commands of the Dockerfile beside it have a network while the image is built.',
    { default: false },
  ),
  run_as_root: optional(
    boolean(),
    'Whether processes are root in the sandbox of the image beside it, and may install packages.',
    { default: false },
  ),
};

export const SANDBOX = policy(
  record<SandboxPolicy>({
    network_access: optional(boolean(), 'Whether the sandbox has a network.', { default: false }),
    network_allowlist: optional(
      list(cidrText()),
      'CIDRs that may be reached. Empty or absent: every public address. Private ranges must be listed.',
    ),
    env_vars: optional(ENVIRONMENT, 'Environment variables of the sandbox, as literals.'),
    additional_packages: optional(
      list(text({ pattern: /^[a-z0-9][a-z0-9.+-]+$/, form: 'the plain name of a package' })),
      'System packages installed in the sandbox.',
    ),
    sandbox_template_id: optional(text(), 'The sandbox template to start from.'),
    ...IMAGE_FIELDS,
  }),
);

const CPU_MAX = 64;
const MEMORY_MB_MIN = 16;
const SIZE_MB_MAX = 1_048_576;

/** The sandbox of one challenge or case. */
export const CASE_SANDBOX = policy(
  record<CaseSandbox>({
    cpu: optional(
      number({ min: 0, aboveMin: true, max: CPU_MAX }),
      'CPUs of the sandbox. A runtime profile with fewer wins.',
    ),
    memory_mb: optional(
      integer({ min: MEMORY_MB_MIN, max: SIZE_MB_MAX }),
      'Memory of its processes, in MiB. A runtime profile with less wins.',
    ),
    disk_mb: optional(
      integer({ min: 1, max: SIZE_MB_MAX }),
      'Disk space of the workspace, in MiB, in place of max_workspace_bytes. A runtime profile with less wins.',
    ),
    working_directory: optional(
      sandboxPathText(),
      'Where the agent of this case starts, in place of that of the pack. It may read and write there.',
    ),
    env_vars: optional(
      ENVIRONMENT,
      'Environment variables beside those of the pack; of one name the case wins.',
    ),
    network_access: optional(boolean(), 'false: the sandbox of this case has no network.'),
    ...IMAGE_FIELDS,
  }),
);

function variableNameProblem(name: string) {
  if (VARIABLE_NAME.test(name)) return undefined;
  return { code: 'malformed', message: 'expected the name of an environment variable' } as const;
}

function variableProblems(value: string): TextProblem[] {
  return VARIABLE_RULES.flatMap(({ mark, ...finding }) => (value.includes(mark) ? finding : []));
}
