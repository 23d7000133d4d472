// Written by `pnpm reference` from the editor schemas.

export type Deployment =
  | {
      name: string;
      kind: 'model';
      runtime_profile_id?: string;
      config: {
        provider_account_id?: string;
        model?: string;
        /**
         * The name of a model alias, or its id.
         */
        model_alias?: string;
        policy_spec?: {
          role?: string;
          system_prompt?: string;
          instructions?: string;
          success_conditions?: string;
          /**
           * The path of a text beside this file.
           */
          instructions_file?: string;
        };
        output_schema?: {
          [k: string]: unknown;
        };
        sampling?: {
          temperature?: number;
          top_p?: number;
          max_output_tokens?: number;
          reasoning_effort?: string;
          seed?: number;
        };
        /**
         * @maxItems 200
         *
         * Items: The name of a tool, or its id.
         */
        tools?: string[];
        /**
         * @maxItems 8
         */
        mcp_servers?: {
          name: string;
          /**
           * @minItems 1
           * @maxItems 256
           */
          command?: string[];
          env?: {
            [k: string]: string;
          };
          /**
           * @maxItems 200
           */
          files?: {
            path: string;
            artifact_id?: string;
            /**
             * The path of a file beside this file.
             */
            from?: string;
          }[];
          url?: string;
          headers?: {
            [k: string]: string;
          };
        }[];
        tool_overrides?: {
          /**
           * @maxItems 200
           */
          denied?: string[];
        };
        /**
         * The name of a provider account, or its id.
         */
        provider_account?: string;
      };
      variants?: {
        [k: string]: {
          /**
           * The name of a model alias, or its id.
           */
          model_alias?: string;
          policy_spec?: {
            role?: string;
            system_prompt?: string;
            instructions?: string;
            success_conditions?: string;
            /**
             * The path of a text beside this file.
             */
            instructions_file?: string;
          };
          sampling?: {
            temperature?: number;
            top_p?: number;
            max_output_tokens?: number;
            reasoning_effort?: string;
            seed?: number;
          };
          /**
           * @maxItems 200
           *
           * Items: The name of a tool, or its id.
           */
          tools?: string[];
          /**
           * @maxItems 8
           */
          mcp_servers?: {
            name: string;
            /**
             * @minItems 1
             * @maxItems 256
             */
            command?: string[];
            env?: {
              [k: string]: string;
            };
            /**
             * @maxItems 200
             */
            files?: {
              path: string;
              artifact_id?: string;
              /**
               * The path of a file beside this file.
               */
              from?: string;
            }[];
            url?: string;
            headers?: {
              [k: string]: string;
            };
          }[];
        };
      };
      baseline?: string;
      /**
       * The name of a runtime profile, or its id.
       */
      runtime_profile?: string;
    }
  | {
      name: string;
      kind: 'program';
      runtime_profile_id?: string;
      config: {
        /**
         * @minItems 1
         * @maxItems 256
         */
        command?: string[];
        protocol?: 'agentclash' | 'acp';
        preset?:
          | string
          | {
              name: string;
              title: string;
              license?: string;
              homepage?: string;
              /**
               * @minItems 1
               */
              wires: ('anthropic' | 'chat' | 'responses' | 'google')[];
              node?: boolean;
              packages?: {
                name: string;
                version: string;
                integrity: string;
                platform?: string;
              }[];
              lockfile?: string;
              wire_settings?: {
                [k: string]: {
                  [k: string]: string;
                };
              };
              /**
               * @minItems 1
               */
              command: string[];
              stdin?: string;
              env?: {
                [k: string]: string;
              };
              files?: {
                [k: string]: string;
              };
              instructions?: {
                file: string;
              };
              skills?: {
                directory: string;
              };
              mcp?: {
                arguments?: string[];
                settings?: string;
              };
              acp?: {
                /**
                 * @minItems 1
                 */
                command: string[];
              };
              final_output?:
                | {
                    from: 'stdout';
                  }
                | {
                    from: 'file';
                    file: string;
                  }
                | {
                    from: 'last_json_line';
                    where?: {
                      [k: string]: string;
                    };
                    /**
                     * @minItems 1
                     */
                    path: string[];
                  }
                | {
                    from: 'joined_json_lines';
                    where?: {
                      [k: string]: string;
                    };
                    /**
                     * @minItems 1
                     */
                    path: string[];
                  };
              failure?:
                | {
                    from: 'stdout';
                  }
                | {
                    from: 'file';
                    file: string;
                  }
                | {
                    from: 'last_json_line';
                    where?: {
                      [k: string]: string;
                    };
                    /**
                     * @minItems 1
                     */
                    path: string[];
                  }
                | {
                    from: 'joined_json_lines';
                    where?: {
                      [k: string]: string;
                    };
                    /**
                     * @minItems 1
                     */
                    path: string[];
                  };
              resources?: {
                memory_bytes?: number;
                pids?: number;
              };
            };
        models?: {
          /**
           * The name of a model alias, or its id.
           */
          main: string;
          /**
           * The name of a model alias, or its id.
           */
          small?: string;
        };
        instructions?: string;
        /**
         * @maxItems 32
         *
         * Items: The path of a folder with a SKILL.md beside this file.
         */
        skills?: string[];
        /**
         * @maxItems 8
         */
        mcp_servers?: {
          name: string;
          /**
           * @minItems 1
           * @maxItems 256
           */
          command?: string[];
          env?: {
            [k: string]: string;
          };
          /**
           * @maxItems 200
           */
          files?: {
            path: string;
            artifact_id?: string;
            /**
             * The path of a file beside this file.
             */
            from?: string;
          }[];
          url?: string;
          headers?: {
            [k: string]: string;
          };
        }[];
        env?: {
          [k: string]: string;
        };
        /**
         * @maxItems 1000
         */
        files?: {
          path: string;
          artifact_id?: string;
          /**
           * The path of a file beside this file.
           */
          from?: string;
        }[];
        /**
         * @maxItems 16
         */
        model_hosts?: string[];
        /**
         * The path of a YAML document beside this file.
         */
        preset_file?: string;
        /**
         * The path of a text beside this file.
         */
        instructions_file?: string;
      };
      variants?: {
        [k: string]: {
          /**
           * @minItems 1
           * @maxItems 256
           */
          command?: string[];
          instructions?: string;
          /**
           * @maxItems 32
           *
           * Items: The path of a folder with a SKILL.md beside this file.
           */
          skills?: string[];
          env?: {
            [k: string]: string;
          };
          /**
           * @maxItems 1000
           */
          files?: {
            path: string;
            artifact_id?: string;
            /**
             * The path of a file beside this file.
             */
            from?: string;
          }[];
          /**
           * @maxItems 8
           */
          mcp_servers?: {
            name: string;
            /**
             * @minItems 1
             * @maxItems 256
             */
            command?: string[];
            env?: {
              [k: string]: string;
            };
            /**
             * @maxItems 200
             */
            files?: {
              path: string;
              artifact_id?: string;
              /**
               * The path of a file beside this file.
               */
              from?: string;
            }[];
            url?: string;
            headers?: {
              [k: string]: string;
            };
          }[];
          models?: {
            /**
             * The name of a model alias, or its id.
             */
            main?: string;
            /**
             * The name of a model alias, or its id.
             */
            small?: string;
          };
          /**
           * The path of a text beside this file.
           */
          instructions_file?: string;
        };
      };
      baseline?: string;
      /**
       * The name of a runtime profile, or its id.
       */
      runtime_profile?: string;
    }
  | {
      name: string;
      kind: 'endpoint';
      runtime_profile_id?: string;
      config: {
        url: string;
        protocol?: 'agentclash' | 'a2a';
        headers?: {
          [k: string]: string;
        };
        credential_reference?: string;
      };
      variants?: {
        [k: string]: {
          url?: string;
          headers?: {
            [k: string]: string;
          };
        };
      };
      baseline?: string;
      /**
       * The name of a runtime profile, or its id.
       */
      runtime_profile?: string;
    }
  | {
      name: string;
      kind: 'scripted';
      runtime_profile_id?: string;
      config: {
        /**
         * @maxItems 10000
         */
        steps?: (
          | {
              call: {
                name: string;
                arguments: unknown;
              };
              delay_ms?: number;
              usage?: {
                input_tokens?: number;
                output_tokens?: number;
              };
            }
          | {
              message: string;
              delay_ms?: number;
              usage?: {
                input_tokens?: number;
                output_tokens?: number;
              };
            }
          | {
              answer: string;
              delay_ms?: number;
              usage?: {
                input_tokens?: number;
                output_tokens?: number;
              };
            }
        )[];
        by_case?: {
          /**
           * @maxItems 10000
           */
          [k: string]: (
            | {
                call: {
                  name: string;
                  arguments: unknown;
                };
                delay_ms?: number;
                usage?: {
                  input_tokens?: number;
                  output_tokens?: number;
                };
              }
            | {
                message: string;
                delay_ms?: number;
                usage?: {
                  input_tokens?: number;
                  output_tokens?: number;
                };
              }
            | {
                answer: string;
                delay_ms?: number;
                usage?: {
                  input_tokens?: number;
                  output_tokens?: number;
                };
              }
          )[];
        };
        stop_on_error?: boolean;
      };
      variants?: {
        [k: string]: {
          /**
           * @maxItems 10000
           */
          steps?: (
            | {
                call: {
                  name: string;
                  arguments: unknown;
                };
                delay_ms?: number;
                usage?: {
                  input_tokens?: number;
                  output_tokens?: number;
                };
              }
            | {
                message: string;
                delay_ms?: number;
                usage?: {
                  input_tokens?: number;
                  output_tokens?: number;
                };
              }
            | {
                answer: string;
                delay_ms?: number;
                usage?: {
                  input_tokens?: number;
                  output_tokens?: number;
                };
              }
          )[];
          by_case?: {
            /**
             * @maxItems 10000
             */
            [k: string]: (
              | {
                  call: {
                    name: string;
                    arguments: unknown;
                  };
                  delay_ms?: number;
                  usage?: {
                    input_tokens?: number;
                    output_tokens?: number;
                  };
                }
              | {
                  message: string;
                  delay_ms?: number;
                  usage?: {
                    input_tokens?: number;
                    output_tokens?: number;
                  };
                }
              | {
                  answer: string;
                  delay_ms?: number;
                  usage?: {
                    input_tokens?: number;
                    output_tokens?: number;
                  };
                }
            )[];
          };
        };
      };
      baseline?: string;
      /**
       * The name of a runtime profile, or its id.
       */
      runtime_profile?: string;
    };

export interface DeploymentFile {
  /**
   * Each provider account, by name.
   */
  provider_accounts?: ProviderAccount[];
  /**
   * Each model alias, by name.
   */
  model_aliases?: ModelAlias[];
  /**
   * Each runtime profile, by name.
   */
  runtime_profiles?: RuntimeProfile[];
  /**
   * Each tool, by name.
   */
  tools?: Tool[];
  /**
   * Each gate policy, by name.
   */
  gate_policies?: GatePolicy[];
  /**
   * Each deployment, by name.
   */
  deployments?: Deployment[];
}
export interface ProviderAccount {
  name: string;
  provider_key:
    | 'openai'
    | 'anthropic'
    | 'google'
    | 'xai'
    | 'mistral'
    | 'openrouter'
    | 'openai_compatible'
    | 'gemini'
    | 'custom';
  credential_reference?: string;
  base_url?: string;
  limits?: {
    max_concurrency?: number;
  };
  pricing?: {
    /**
     * @maxItems 1000
     */
    models: {
      provider_key: string;
      provider_model_id: string;
      input_cost_per_million_tokens: number;
      output_cost_per_million_tokens: number;
      cached_input_cost_per_million_tokens?: number;
      cache_write_cost_per_million_tokens?: number;
      reasoning_cost_per_million_tokens?: number;
      long_prompt?: {
        above_input_tokens: number;
        input_cost_per_million_tokens: number;
        output_cost_per_million_tokens: number;
        cached_input_cost_per_million_tokens?: number;
        cache_write_cost_per_million_tokens?: number;
        reasoning_cost_per_million_tokens?: number;
      };
    }[];
  };
  list_prices?: boolean;
}
export interface ModelAlias {
  name: string;
  provider_account_id?: string;
  model: string;
  /**
   * The name of a provider account, or its id.
   */
  provider_account?: string;
}
export interface RuntimeProfile {
  name: string;
  max_iterations?: number;
  max_tool_calls?: number;
  step_timeout_seconds?: number;
  run_timeout_seconds?: number;
  max_output_bytes?: number;
  max_total_tokens?: number;
  max_cost_usd?: number;
  max_policy_denials?: number;
  sandbox?: {
    cpu?: number;
    /**
     * Memory of the processes when the disks in memory are full: the sandbox as a whole may hold this plus the sizes of those disks.
     */
    memory_bytes?: number;
    pids?: number;
    workspace_bytes?: number;
  };
  tool_policy?: {
    allow_shell?: boolean;
    allow_network?: boolean;
    /**
     * @maxItems 200
     */
    denied_tools?: string[];
  };
}
export interface Tool {
  name: string;
  tool_kind: 'primitive' | 'composed';
  capability_key?: string;
  definition: {
    description?: string;
    parameters?: {
      [k: string]: unknown;
    };
    implementation?:
      | {
          mode: 'delegate';
          primitive: string;
          args?: {
            [k: string]: unknown;
          };
        }
      | {
          mode: 'mock';
          mock: {
            strategy?: 'static' | 'lookup' | 'echo';
            response?: unknown;
            lookup_key?: string;
            responses?: {
              [k: string]: unknown;
            };
            template?: {
              [k: string]: unknown;
            };
          };
        };
    /**
     * @minItems 1
     * @maxItems 16
     */
    steps?: {
      id: string;
      ref: {
        type: 'primitive' | 'tool';
        name: string;
      };
      inputs?: {
        [k: string]: unknown;
      };
    }[];
  };
  lifecycle_status?: 'active' | 'disabled' | 'archived';
}
export interface GatePolicy {
  name: string;
  comparisons?: {
    [k: string]: {
      max_regression: {
        warn: number;
        fail: number;
      };
      mode?: 'point' | 'significant' | 'non_inferior';
    };
  };
  other_dimensions?: {
    max_regression: {
      warn: number;
      fail: number;
    };
    mode?: 'point' | 'significant' | 'non_inferior';
  };
  missing_dimension?: 'note' | 'insufficient_evidence';
  require_pass?: boolean;
  max_missing_share?: number;
  min_cases?: number;
  allow_recorded_model_calls?: boolean;
  imported_runs?: 'refuse' | 'warn' | 'allow';
  pack_audit?: {
    min_strength?: number;
    max_age_days?: number;
    required: boolean;
  };
}
