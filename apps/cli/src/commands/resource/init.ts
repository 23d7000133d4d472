import path from 'node:path';
import { writeNewFile, writeSchemaFile } from '../../files/new-file.js';
import type { Session } from '../../session/session.js';

const SCHEMA_FILE = 'deployments.schema.json';

/** A commented deployment file to begin with. */
export const STARTER_DEPLOYMENTS = `# yaml-language-server: $schema=./${SCHEMA_FILE}
# Agents, and what they are made of. agentclash apply -f creates what is missing and revises, by name, what differs.
provider_accounts:
  # A model on this machine: Ollama, vLLM, llama.cpp or LM Studio.
  - name: local
    provider_key: openai_compatible
    base_url: http://127.0.0.1:11434/v1
  # A hosted one, whose key is set first: agentclash secret set ANTHROPIC_API_KEY --host api.anthropic.com
  # - {name: hosted, provider_key: anthropic, credential_reference: "workspace-secret://ANTHROPIC_API_KEY"}

model_aliases:
  - name: fast # deployments name the alias: another model is a change of this line
    provider_account: local
    model: qwen3

deployments:
  - name: model
    kind: model
    config:
      model_alias: fast
  # A program of your own in the sandbox; from is a path beside this file.
  # - name: program
  #   kind: program
  #   config:
  #     command: [python3, /agent/solve.py]
  #     files:
  #       - {path: solve.py, from: solve.py}
  # A coding agent by its preset; agentclash agents list has their names.
  # - {name: coder, kind: program, config: {preset: codex, models: {main: fast}}}
  - name: script # replays steps, without a model: to try a pack
    kind: scripted
    config:
      steps:
        - message: Done.
`;

/** Writes a deployment file with the schema that its first line names. */
export async function initDeploymentFile(
  session: Session,
  { file, force = false }: { file: string; force?: boolean },
): Promise<undefined> {
  const { deploymentFileSchema } = await import('../../deployment-file/editor-schema.js');
  await writeNewFile(file, STARTER_DEPLOYMENTS, force);
  await writeSchemaFile(path.join(path.dirname(file), SCHEMA_FILE), deploymentFileSchema());
  session.out.result({ file }, () => `${file}: a deployment file`);
  session.out.note(session.out.paint.dim(`Next: agentclash apply -f ${file}`));
}
