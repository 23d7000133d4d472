import type { DeploymentFile } from './generated/deployment-file.js';
import { yamlText } from './yaml-text.js';

/** A deployment file that a program defines: accounts, aliases, profiles, tools, policies and deployments. */
export class DeploymentsDefinition {
  constructor(readonly file: DeploymentFile) {}

  /** The YAML file, as `agentclash apply -f` takes it. Throws a `TypeError` for what JSON cannot hold. */
  toYaml(): string {
    return yamlText(this.file);
  }
}

/** A deployment file from its lists; the editor completes and checks every field. */
export function defineDeployments(file: DeploymentFile): DeploymentsDefinition {
  return new DeploymentsDefinition(file);
}
