// Written by `pnpm reference` from the editor schemas.

export interface PackDocument {
  /**
   * The identity of the pack.
   */
  pack: {
    /**
     * Identifies the pack in its workspace.
     */
    slug: string;
    /**
     * The name shown to people.
     */
    name: string;
    /**
     * The family of packs it belongs to.
     */
    family: string;
    /**
     * The subject of the pack.
     */
    description?: string;
  };
  /**
   * This version: mode, policy and scoring.
   */
  version: {
    /**
     * The number of this version; published versions never change.
     */
    number: number;
    /**
     * How agents are driven.
     */
    execution_mode?: ('native' | 'prompt_eval' | 'responses' | 'multi_turn') | '';
    /**
     * Which tools the agent may use.
     */
    tool_policy?: {
      /**
       * Kinds of built-in tools the agent may use. Empty or absent: every kind but shell.
       */
      allowed_tool_kinds?: ('browser' | 'build' | 'data' | 'file' | 'network' | 'shell' | 'terminal')[];
      /**
       * Whether the agent may run commands. The kind shell means the same.
       */
      allow_shell?: boolean;
      /**
       * Whether the agent gets network tools. Absent: follows sandbox.network_access.
       */
      allow_network?: boolean;
    };
    /**
     * The paths that the agent may read and write.
     */
    filesystem?: {
      /**
       * Where the agent starts; relative paths count from here.
       */
      working_directory?: string;
      /**
       * Where the agent may read. Absent: the working directory.
       */
      readable_roots?: string[];
      /**
       * Where the agent may write. Absent: the working directory.
       */
      writable_roots?: string[];
      /**
       * Disk space of the workspace, in bytes.
       */
      max_workspace_bytes?: number;
    };
    /**
     * Network, environment and packages of the sandbox.
     */
    sandbox?: {
      /**
       * Whether the sandbox has a network.
       */
      network_access?: boolean;
      /**
       * CIDRs that may be reached. Empty or absent: every public address. Private ranges must be listed.
       */
      network_allowlist?: string[];
      /**
       * Environment variables of the sandbox, as literals.
       */
      env_vars?: {
        [k: string]: string;
      };
      /**
       * System packages installed in the sandbox.
       */
      additional_packages?: string[];
      /**
       * The sandbox template to start from.
       */
      sandbox_template_id?: string;
      /**
       * A container image whose root the sandbox has, writable as far as its user may; by its digest, or by a tag that `challenge-pack publish` pins.
       */
      image?: string | '';
      /**
       * In place of an image: the path of an asset from which one is built before the race. The assets in its folder are the context.
       */
      dockerfile?: string;
      /**
       * Whether the commands of the Dockerfile beside it have a network while the image is built.
       */
      build_network_access?: boolean;
      /**
       * Whether processes are root in the sandbox of the image beside it, and may install packages.
       */
      run_as_root?: boolean;
    };
    /**
     * Deployments to race when a run names none.
     */
    deployment_defaults?: {
      /**
       * Names for deployment selectors.
       */
      aliases?: {
        [k: string]: string;
      };
      /**
       * Named lists of deployment selectors; "default" is used when a run names none.
       */
      lineups?: {
        /**
         * @minItems 1
         */
        [k: string]: string[];
      };
    };
    /**
     * The scoring contract.
     */
    evaluation_spec: {
      /**
       * The name of this scoring contract.
       */
      name: string;
      /**
       * Its version, from 1.
       */
      version_number: number;
      /**
       * Whether validators, model judges or both score.
       */
      judge_mode: 'deterministic' | 'llm_judge' | 'hybrid';
      /**
       * Checks whose verdict follows from the evidence alone.
       */
      validators?: {
        /**
         * The name of this validator; unique among validators, metrics and judges.
         */
        key: string;
        /**
         * How the target is judged.
         */
        type:
          | 'exact_match'
          | 'contains'
          | 'not_contains'
          | 'starts_with'
          | 'ends_with'
          | 'regex_match'
          | 'boolean_assert'
          | 'normalized_match'
          | 'fuzzy_match'
          | 'length_range'
          | 'list_match'
          | 'numeric_match'
          | 'number_range'
          | 'math_equivalence'
          | 'token_f1'
          | 'bleu_score'
          | 'rouge_score'
          | 'chrf_score'
          | 'json_schema'
          | 'json_path_match'
          | 'xml_valid'
          | 'csv_match'
          | 'file_exists'
          | 'file_content_match'
          | 'file_json_schema'
          | 'directory_structure'
          | 'postcondition'
          | 'code_execution'
          | 'script'
          | 'tool_call_assertion'
          | 'trajectory_match';
        /**
         * The judged value: a reference, file:CHECK or tool_calls, as the type needs; only code_execution may lack it.
         */
        target?: string;
        /**
         * Where the expected text comes from: a reference, or literal:TEXT.
         */
        expected_from?: string;
        /**
         * A part of the case, such as case.expectations.KEY: the validator judges only cases that have it.
         */
        when?: string;
        /**
         * false: it passes an output that does not meet the expectation; no output meets neither.
         */
        expect?: boolean;
        /**
         * Settings of this type.
         */
        config?: {
          [k: string]: unknown;
        };
      }[];
      /**
       * Raw values measured on every attempt.
       */
      metrics?: {
        /**
         * The name of this metric; unique among validators, metrics and judges.
         */
        key: string;
        /**
         * The type of the value, which the collector decides.
         */
        type: 'numeric' | 'boolean' | 'text';
        /**
         * The measured quantity.
         */
        collector:
          | 'run_total_latency_ms'
          | 'run_ttft_ms'
          | 'run_input_tokens'
          | 'run_output_tokens'
          | 'run_cached_input_tokens'
          | 'run_reasoning_tokens'
          | 'run_total_tokens'
          | 'run_agent_tokens'
          | 'run_race_context_tokens'
          | 'run_tool_call_count'
          | 'run_failed_tool_call_count'
          | 'run_failure_count'
          | 'run_completed_successfully'
          | 'run_model_cost_usd'
          | 'validator_pass_rate'
          | 'validator_mean_score'
          | 'behavioral_recovery_score'
          | 'behavioral_exploration_efficiency_score'
          | 'behavioral_error_cascade_score'
          | 'behavioral_scope_adherence_score';
        /**
         * A label for people.
         */
        unit?: string;
      }[];
      /**
       * How the agent behaved, measured by its tool calls.
       */
      behavioral?: {
        /**
         * The behaviours scored together.
         *
         * @minItems 1
         */
        signals: {
          /**
           * Which behaviour is scored.
           */
          key: 'recovery_behavior' | 'exploration_efficiency' | 'error_cascade' | 'scope_adherence';
          /**
           * The share of this signal in the panel.
           */
          weight: number;
          /**
           * Whether the panel is 0 when this signal is below its threshold.
           */
          gate?: boolean;
          /**
           * The threshold of the gate.
           */
          pass_threshold?: number;
        }[];
      };
      /**
       * Models that judge.
       */
      llm_judges?: {
        /**
         * The name of this judge; unique among validators, metrics and judges.
         */
        key: string;
        /**
         * The task of the judge.
         */
        mode: 'rubric' | 'reference' | 'assertion' | 'n_wise';
        /**
         * The judging model, or alias:NAME.
         */
        model?: string;
        /**
         * Several judging models, whose scores `consensus` joins.
         */
        models?: string[];
        /**
         * Replies requested from each model; 0 means the default.
         */
        samples?: number;
        /**
         * The temperature of the judging model.
         */
        temperature?: number;
        /**
         * References to the texts the judge reads.
         */
        context_from?: string[];
        /**
         * Reference to the text that mode `reference` compares with.
         */
        reference_from?: string;
        /**
         * The criteria of the score.
         */
        rubric?: string;
        /**
         * The assertion about the output.
         */
        assertion?: string;
        /**
         * The verdict on the assertion that scores 1.
         */
        expect?: boolean;
        /**
         * By what the outputs are ranked.
         */
        prompt?: string;
        /**
         * The ends of the scale.
         */
        score_scale?: {
          /**
           * The score for the worst.
           */
          min?: number;
          /**
           * The score for the best.
           */
          max?: number;
        };
        /**
         * The JSON Schema that a reply must meet.
         */
        output_schema?: {
          [k: string]: unknown;
        };
        /**
         * Whether rankings are requested in opposite orders.
         */
        position_debiasing?: boolean;
        /**
         * How several models agree.
         */
        consensus?: {
          /**
           * How the scores of several models become one.
           */
          aggregation: 'median' | 'mean' | 'majority_vote' | 'unanimous';
          /**
           * The spread between models above which confidence is low.
           */
          min_agreement_threshold?: number;
          /**
           * Whether such a spread is a warning.
           */
          flag_on_disagreement?: boolean;
        };
        /**
         * Further warnings to the judge.
         */
        anti_gaming_clauses?: string[];
        /**
         * How long one reply may take, in milliseconds.
         */
        timeout_ms?: number;
      }[];
      /**
       * The parts of the workspace that are kept for the validators.
       */
      post_execution_checks?: {
        /**
         * The name that `file:KEY` refers to.
         */
        key: string;
        /**
         * Whether a file is captured or a directory listed.
         */
        type: 'file_capture' | 'directory_listing';
        /**
         * The file or directory; relative paths start at the working directory.
         */
        path: string;
        /**
         * Whether a listing descends.
         */
        recursive?: boolean;
        /**
         * Bytes kept of the file; 0 means 1 MiB.
         */
        max_size_bytes?: number;
      }[];
      /**
       * Limits of one attempt.
       */
      runtime_limits?: {
        /**
         * Tokens one attempt may use.
         */
        max_total_tokens?: number;
        /**
         * US dollars one attempt may cost.
         */
        max_cost_usd?: number;
        /**
         * Milliseconds one attempt may take.
         */
        max_duration_ms?: number;
        /**
         * Model calls one attempt may make.
         */
        max_iterations?: number;
      };
      /**
       * Prices for the cost of models.
       */
      pricing?: {
        /**
         * The prices of models.
         */
        models?: {
          /**
           * The provider, such as anthropic.
           */
          provider_key: string;
          /**
           * The provider’s id of the model; a trailing date may be left out.
           */
          provider_model_id: string;
          /**
           * US dollars per million input tokens.
           */
          input_cost_per_million_tokens: number;
          /**
           * US dollars per million output tokens.
           */
          output_cost_per_million_tokens: number;
          /**
           * Default: the input rate.
           */
          cached_input_cost_per_million_tokens?: number;
          /**
           * Default: the output rate.
           */
          reasoning_cost_per_million_tokens?: number;
        }[];
      };
      /**
       * How everything becomes one result.
       */
      scorecard: {
        /**
         * The parts of the overall score.
         *
         * @minItems 1
         */
        dimensions: (
          | string
          | {
              /**
               * The name of this dimension.
               */
              key: string;
              /**
               * The source of the score; inferred from keys such as correctness or latency.
               */
              source?:
                | (
                    | 'validators'
                    | 'report'
                    | 'metric'
                    | 'latency'
                    | 'cost'
                    | 'reliability'
                    | 'behavioral'
                    | 'llm_judge'
                    | 'human_preference'
                  )
                | '';
              /**
               * Keys of the validators it averages; none means all.
               */
              validators?: string[];
              /**
               * How the results of its validators become a score; default: scores.
               */
              scoring?: ('scores' | 'verdicts') | '';
              /**
               * For the source report: the code_execution validator whose report it reads.
               */
              validator?: string;
              /**
               * The metric it reads; for the source report, of a report of format reward_json.
               */
              metric?: string;
              /**
               * The judge it reads.
               */
              judge_key?: string;
              /**
               * Whether lower or higher raw values are better.
               */
              better_direction?: ('lower' | 'higher') | '';
              /**
               * How a raw value becomes a score.
               */
              normalization?: {
                /**
                 * The raw value that scores 1.
                 */
                target: number;
                /**
                 * The raw value that scores 0.
                 */
                max: number;
              };
              /**
               * Its share in the overall score.
               */
              weight?: number;
              /**
               * Whether it must reach its threshold whatever the others score.
               */
              gate?: boolean;
              /**
               * The score from which it holds.
               */
              pass_threshold?: number;
            }
        )[];
        /**
         * How dimensions become overall score and verdict.
         */
        strategy?: ('weighted' | 'binary' | 'hybrid') | '';
        /**
         * The overall score from which an attempt passes.
         */
        pass_threshold?: number;
        /**
         * The share of an agent's attempts that may lack a usable scorecard; default 0.05. Above it the agent has no verdict `passed` and ranks below all agents within it.
         */
        max_missing_share?: number;
        /**
         * The limits of the judges of one attempt.
         */
        judge_limits?: {
          /**
           * Samples requested from each judge; 0: no limit.
           */
          max_samples_per_judge?: number;
          /**
           * US dollars the judges of one attempt may cost; 0: no limit.
           */
          max_calls_usd?: number;
          /**
           * Tokens the judges of one attempt may use; 0: no limit.
           */
          max_tokens?: number;
        };
        /**
         * Older: bounds of latency and cost; write them at the dimension.
         */
        normalization?: {
          /**
           * The bounds of a dimension `latency` without its own.
           */
          latency?: {
            /**
             * Milliseconds that score 1.
             */
            target_ms?: number;
            /**
             * Milliseconds that score 0; default: max_duration_ms.
             */
            max_ms?: number;
          };
          /**
           * The bounds of a dimension `cost` without its own.
           */
          cost?: {
            /**
             * US dollars that score 1.
             */
            target_usd?: number;
            /**
             * US dollars that score 0; default: max_cost_usd.
             */
            max_usd?: number;
          };
        };
      };
    };
    /**
     * Files of the whole pack.
     */
    assets?: {
      /**
       * The name by which references find the asset.
       */
      key: string;
      /**
       * Path in the workspace, and of the file beside the pack.
       */
      path: string;
      /**
       * The kind of the file, for people.
       */
      kind?: string;
      /**
       * The media type of the file.
       */
      media_type?: string;
      /**
       * The stored artifact with the bytes; absent for a file beside the pack.
       */
      artifact_id?: string | '';
    }[];
    /**
     * Files of the grader for every case: in the verifier sandbox alone, never with the agent.
     *
     * @maxItems 2000
     */
    grader_files?: {
      /**
       * The key of a declared asset.
       */
      artifact_key: string;
      /**
       * Where the verifier sandbox has it: absolute, or below /grader. Absent: the path of the asset, below /grader.
       */
      path?: string;
      /**
       * Whether it may be executed.
       */
      executable?: boolean;
    }[];
  };
  /**
   * The task definitions.
   *
   * @minItems 1
   */
  challenges: {
    /**
     * The name by which cases refer to the challenge.
     */
    key: string;
    /**
     * The title, shown to the agent.
     */
    title: string;
    /**
     * The category, for people.
     */
    category: string;
    /**
     * How hard the challenge is.
     */
    difficulty: 'easy' | 'medium' | 'hard' | 'expert';
    /**
     * multi_turn: the cases of this challenge are conversations, in a pack of mode native.
     */
    execution_mode?: 'multi_turn' | '';
    /**
     * The task, shown to the agent; {{name}} is replaced by a value of the case. definition.instructions wins.
     */
    instructions?: string;
    /**
     * Further parts of the task. Of these the agent is shown the instructions alone; still, put no solutions here.
     */
    definition?: {
      [k: string]: unknown;
    };
    /**
     * Files of this challenge.
     */
    assets?: {
      /**
       * The name by which references find the asset.
       */
      key: string;
      /**
       * Path in the workspace, and of the file beside the pack.
       */
      path: string;
      /**
       * The kind of the file, for people.
       */
      kind?: string;
      /**
       * The media type of the file.
       */
      media_type?: string;
      /**
       * The stored artifact with the bytes; absent for a file beside the pack.
       */
      artifact_id?: string | '';
    }[];
    /**
     * Assets that every case of this challenge gets in its workspace.
     */
    artifact_refs?: {
      /**
       * The key of a declared asset.
       */
      key: string;
    }[];
    /**
     * Files of the grader for every case of this challenge.
     *
     * @maxItems 2000
     */
    grader_files?: {
      /**
       * The key of a declared asset.
       */
      artifact_key: string;
      /**
       * Where the verifier sandbox has it: absolute, or below /grader. Absent: the path of the asset, below /grader.
       */
      path?: string;
      /**
       * Whether it may be executed.
       */
      executable?: boolean;
    }[];
    /**
     * The sandbox of this challenge's cases, where it differs from the pack's; that of a case wins.
     */
    sandbox?: {
      /**
       * CPUs of the sandbox. A runtime profile with fewer wins.
       */
      cpu?: number;
      /**
       * Memory of its processes, in MiB. A runtime profile with less wins.
       */
      memory_mb?: number;
      /**
       * Disk space of the workspace, in MiB, in place of max_workspace_bytes. A runtime profile with less wins.
       */
      disk_mb?: number;
      /**
       * Where the agent of this case starts, in place of that of the pack. It may read and write there.
       */
      working_directory?: string;
      /**
       * Environment variables beside those of the pack; of one name the case wins.
       */
      env_vars?: {
        [k: string]: string;
      };
      /**
       * false: the sandbox of this case has no network.
       */
      network_access?: boolean;
      /**
       * A container image whose root the sandbox has, writable as far as its user may; by its digest, or by a tag that `challenge-pack publish` pins.
       */
      image?: string | '';
      /**
       * In place of an image: the path of an asset from which one is built before the race. The assets in its folder are the context.
       */
      dockerfile?: string;
      /**
       * Whether the commands of the Dockerfile beside it have a network while the image is built.
       */
      build_network_access?: boolean;
      /**
       * Whether processes are root in the sandbox of the image beside it, and may install packages.
       */
      run_as_root?: boolean;
    };
    /**
     * The proof that the cases of this challenge can be passed; never shown to the agent. That of a case wins.
     */
    solution?: {
      /**
       * Files that are written into the agent's sandbox first.
       *
       * @maxItems 2000
       */
      files?: {
        /**
         * Where it is written: below the working directory, or an absolute path.
         */
        path: string;
        /**
         * The key of a declared asset, which no agent may get.
         */
        asset?: string;
        /**
         * In place of an asset: its text; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.
         */
        content?: string;
        /**
         * Whether it may be executed.
         */
        executable?: boolean;
      }[];
      /**
       * A shell command that is run in the agent's sandbox, in the working directory, after the files are written.
       */
      run?: string;
      /**
       * The time limit of run, in seconds.
       */
      timeout_seconds?: number;
      /**
       * Further environment variables of run, as literals.
       */
      environment?: {
        [k: string]: string;
      };
      /**
       * In place of everything else: the steps of a scripted agent, each a call, a message or an answer.
       *
       * @minItems 1
       * @maxItems 10000
       */
      steps?: {
        /**
         * Calls a tool.
         */
        call?: {
          /**
           * The name of the tool.
           */
          name: string;
          /**
           * Its arguments; in texts {{name}} is replaced by a value of the case.
           */
          arguments: unknown;
        };
        /**
         * A message, which ends a turn of a conversation.
         */
        message?: string;
        /**
         * The final output, which ends the attempt.
         */
        answer?: string;
        /**
         * Waits before it acts, in milliseconds.
         */
        delay_ms?: number;
        /**
         * The usage that counts as spent.
         */
        usage?: {
          /**
           * Input tokens that count as spent.
           */
          input_tokens?: number;
          /**
           * Output tokens that count as spent.
           */
          output_tokens?: number;
        };
      }[];
      /**
       * The final output; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.
       */
      answer?: string;
      /**
       * In place of an answer: where the final output is found, as in expected_from, such as case.expectations.KEY.
       */
      answer_from?: string;
    };
  }[];
  /**
   * Named lists of cases.
   */
  input_sets?: {
    /**
     * The name by which runs choose the input set.
     */
    key: string;
    /**
     * The name shown to people.
     */
    name: string;
    /**
     * The common subject of the cases.
     */
    description?: string;
    /**
     * The cases, each of one of the challenges.
     */
    cases?: {
      /**
       * The challenge that this is a case of.
       */
      challenge_key: string;
      /**
       * The name of the case, unique in its input set.
       */
      case_key?: string;
      /**
       * The older name of the case; used where case_key is absent.
       */
      item_key?: string;
      /**
       * Values of the case, shown to the agent. Put solutions in expectations.
       */
      payload?: {
        [k: string]: unknown;
      };
      /**
       * Named inputs, shown to the agent.
       */
      inputs?: {
        /**
         * The name by which templates and references find the input.
         */
        key: string;
        /**
         * How it is shown: text, markdown, json, code, image, file or table; workspace means files to stage.
         */
        kind: string;
        /**
         * The value, shown to the agent.
         */
        value?: unknown;
        /**
         * The asset that holds the value.
         */
        artifact_key?: string;
        /**
         * Beside artifact_key: the member of that archive (zip, tar, tar.gz) that is meant. Alone: a path the agent should know.
         */
        path?: string;
      }[];
      /**
       * The expectations of the grader; never shown to the agent.
       */
      expectations?: {
        /**
         * The name by which references find the expectation.
         */
        key: string;
        /**
         * The kind of the expectation.
         */
        kind: string;
        /**
         * The expected value.
         */
        value?: unknown;
        /**
         * The asset that holds the expected value.
         */
        artifact_key?: string;
        /**
         * Not implemented: give the member of an archive as an asset of its own.
         */
        path?: string;
        /**
         * Where the expected value is found: input:KEY or artifact:KEY.
         */
        source?: string;
      }[];
      /**
       * Who plays the user, in mode multi_turn or for a challenge of that mode.
       */
      user_simulator?: {
        /**
         * Always 1.
         */
        schema_version: 1;
        /**
         * Always hybrid.
         */
        kind: 'hybrid';
        /**
         * The most turns of the conversation; 0 means 50.
         */
        max_turns?: number;
        /**
         * The phases, in order.
         *
         * @minItems 1
         */
        phases: {
          /**
           * The name of the phase.
           */
          id: string;
          /**
           * Who plays the user in this phase.
           */
          actor: 'scripted' | 'llm' | 'human';
          /**
           * When the phase is entered. The first phase is always entered; a later one needs a trigger, which must not be always.
           */
          trigger?:
            | (
                | 'always'
                | 'on_assistant_mismatch'
                | 'on_gate_passed'
                | 'never'
                | 'manual'
                | 'on_validator_fail'
                | 'on_judge_below'
                | 'on_agent_loop'
                | 'on_max_llm_turns'
              )
            | '';
          /**
           * Tests after the phase, which grade it and decide on phases with the trigger on_gate_passed.
           */
          gate?: {
            /**
             * The code_execution that runs when the phase has ended, on a copy of the workspace, with AGENTCLASH_PHASE set to its id.
             */
            validator: string;
            /**
             * The score from which the gate is passed. Absent: any score passes.
             */
            min_score?: number;
          };
          /**
           * Scripted: the turns, in order.
           *
           * @minItems 1
           */
          turns?: {
            /**
             * The message of the user; {{name}} is replaced by a value of the case.
             */
            message: string;
            /**
             * Expectations about the reply to this turn.
             */
            expects?: {
              /**
               * The name by which references find the expectation.
               */
              key: string;
              /**
               * The kind of the expectation.
               */
              kind: string;
              /**
               * The expected value.
               */
              value?: unknown;
              /**
               * The asset that holds the expected value.
               */
              artifact_key?: string;
              /**
               * Not implemented: give the member of an archive as an asset of its own.
               */
              path?: string;
              /**
               * Where the expected value is found: input:KEY or artifact:KEY.
               */
              source?: string;
            }[];
          }[];
          /**
           * LLM: who the model plays.
           */
          persona?: string;
          /**
           * LLM: the most turns; 0 means the simulator's limit.
           */
          max_turns?: number;
          /**
           * LLM: the phase ends when all of these hold: max_turns, assistant_emitted:TEXT, user_token:TEXT.
           */
          until?: string[];
          /**
           * LLM: replaces the model that plays the user.
           */
          model?: string;
          /**
           * Human: how long to wait, in milliseconds; 0 means 30 minutes.
           */
          timeout_ms?: number;
          /**
           * Human: what happens without a reply.
           */
          on_timeout?: ('stop' | 'fail') | '';
        }[];
        /**
         * Sampling of run agents for human rating.
         */
        calibration?: {
          /**
           * Whether people rate a sample of the run agents. Not implemented: true is an error.
           */
          enabled?: boolean;
          /**
           * The share of run agents that is sampled.
           */
          sample_rate?: number;
        };
        /**
         * The steps after the run.
         */
        post_run?: {
          /**
           * Comparison of the lanes of a case by people.
           */
          arena?: {
            /**
             * Whether lanes are compared after the run. Not implemented: true is an error.
             */
            enabled?: boolean;
            /**
             * How lanes are compared.
             */
            comparison?: string;
          };
        };
      };
      /**
       * Assets that this case gets in its agent's workspace.
       */
      artifacts?: {
        /**
         * The key of a declared asset.
         */
        key: string;
      }[];
      /**
       * Files of this case.
       */
      assets?: {
        /**
         * The name by which references find the asset.
         */
        key: string;
        /**
         * Path in the workspace, and of the file beside the pack.
         */
        path: string;
        /**
         * The kind of the file, for people.
         */
        kind?: string;
        /**
         * The media type of the file.
         */
        media_type?: string;
        /**
         * The stored artifact with the bytes; absent for a file beside the pack.
         */
        artifact_id?: string | '';
      }[];
      /**
       * Files of the grader for this case.
       *
       * @maxItems 2000
       */
      grader_files?: {
        /**
         * The key of a declared asset.
         */
        artifact_key: string;
        /**
         * Where the verifier sandbox has it: absolute, or below /grader. Absent: the path of the asset, below /grader.
         */
        path?: string;
        /**
         * Whether it may be executed.
         */
        executable?: boolean;
      }[];
      /**
       * Time limit of the case; 0: that of the runtime profile.
       */
      case_timeout_seconds?: number;
      /**
       * The case's own sandbox, where it differs from the pack's.
       */
      sandbox?: {
        /**
         * CPUs of the sandbox. A runtime profile with fewer wins.
         */
        cpu?: number;
        /**
         * Memory of its processes, in MiB. A runtime profile with less wins.
         */
        memory_mb?: number;
        /**
         * Disk space of the workspace, in MiB, in place of max_workspace_bytes. A runtime profile with less wins.
         */
        disk_mb?: number;
        /**
         * Where the agent of this case starts, in place of that of the pack. It may read and write there.
         */
        working_directory?: string;
        /**
         * Environment variables beside those of the pack; of one name the case wins.
         */
        env_vars?: {
          [k: string]: string;
        };
        /**
         * false: the sandbox of this case has no network.
         */
        network_access?: boolean;
        /**
         * A container image whose root the sandbox has, writable as far as its user may; by its digest, or by a tag that `challenge-pack publish` pins.
         */
        image?: string | '';
        /**
         * In place of an image: the path of an asset from which one is built before the race. The assets in its folder are the context.
         */
        dockerfile?: string;
        /**
         * Whether the commands of the Dockerfile beside it have a network while the image is built.
         */
        build_network_access?: boolean;
        /**
         * Whether processes are root in the sandbox of the image beside it, and may install packages.
         */
        run_as_root?: boolean;
      };
      /**
       * The proof that the case can be passed, in the place of its challenge's; never shown to the agent.
       */
      solution?: {
        /**
         * Files that are written into the agent's sandbox first.
         *
         * @maxItems 2000
         */
        files?: {
          /**
           * Where it is written: below the working directory, or an absolute path.
           */
          path: string;
          /**
           * The key of a declared asset, which no agent may get.
           */
          asset?: string;
          /**
           * In place of an asset: its text; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.
           */
          content?: string;
          /**
           * Whether it may be executed.
           */
          executable?: boolean;
        }[];
        /**
         * A shell command that is run in the agent's sandbox, in the working directory, after the files are written.
         */
        run?: string;
        /**
         * The time limit of run, in seconds.
         */
        timeout_seconds?: number;
        /**
         * Further environment variables of run, as literals.
         */
        environment?: {
          [k: string]: string;
        };
        /**
         * In place of everything else: the steps of a scripted agent, each a call, a message or an answer.
         *
         * @minItems 1
         * @maxItems 10000
         */
        steps?: {
          /**
           * Calls a tool.
           */
          call?: {
            /**
             * The name of the tool.
             */
            name: string;
            /**
             * Its arguments; in texts {{name}} is replaced by a value of the case.
             */
            arguments: unknown;
          };
          /**
           * A message, which ends a turn of a conversation.
           */
          message?: string;
          /**
           * The final output, which ends the attempt.
           */
          answer?: string;
          /**
           * Waits before it acts, in milliseconds.
           */
          delay_ms?: number;
          /**
           * The usage that counts as spent.
           */
          usage?: {
            /**
             * Input tokens that count as spent.
             */
            input_tokens?: number;
            /**
             * Output tokens that count as spent.
             */
            output_tokens?: number;
          };
        }[];
        /**
         * The final output; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.
         */
        answer?: string;
        /**
         * In place of an answer: where the final output is found, as in expected_from, such as case.expectations.KEY.
         */
        answer_from?: string;
      };
    }[];
    /**
     * A data file, each row of which is a case; in the place of cases.
     */
    cases_from?: {
      /**
       * Path of the data file beside the pack.
       */
      path?: string;
      /**
       * The stored artifact with the rows; absent for a file beside the pack.
       */
      artifact_id?: string | '';
      /**
       * The format of the file; absent: by the ending of the path.
       */
      format?: ('jsonl' | 'json' | 'csv' | 'parquet') | '';
      /**
       * CSV: what separates the values; absent: the most frequent one in the header.
       */
      delimiter?: ('comma' | 'semicolon' | 'tab' | 'pipe') | '';
      /**
       * The case_key of each row: {{row.COLUMN}} is the value of a column, {{row_number}} counts from 1.
       */
      case_key: string;
      /**
       * The challenge of each row; a template too.
       */
      challenge_key: string;
      /**
       * The payload of each row, shown to the agent: its texts are templates. Only columns that are named here or in inputs are shown.
       */
      payload?: {
        [k: string]: unknown;
      };
      /**
       * The inputs of each row, shown to the agent; texts are templates.
       */
      inputs?: {
        /**
         * The name by which templates and references find the input.
         */
        key: string;
        /**
         * How it is shown: text, markdown, json, code, image, file or table; workspace means files to stage.
         */
        kind: string;
        /**
         * The value, shown to the agent.
         */
        value?: unknown;
        /**
         * The asset that holds the value.
         */
        artifact_key?: string;
        /**
         * Beside artifact_key: the member of that archive (zip, tar, tar.gz) that is meant. Alone: a path the agent should know.
         */
        path?: string;
      }[];
      /**
       * The expectations of each row, never shown to the agent; texts are templates.
       */
      expectations?: {
        /**
         * The name by which references find the expectation.
         */
        key: string;
        /**
         * The kind of the expectation.
         */
        kind: string;
        /**
         * The expected value.
         */
        value?: unknown;
        /**
         * The asset that holds the expected value.
         */
        artifact_key?: string;
        /**
         * Not implemented: give the member of an archive as an asset of its own.
         */
        path?: string;
        /**
         * Where the expected value is found: input:KEY or artifact:KEY.
         */
        source?: string;
      }[];
      /**
       * The solution of each row, never shown to the agent; texts are templates.
       */
      solution?: {
        /**
         * Files that are written into the agent's sandbox first.
         *
         * @maxItems 2000
         */
        files?: {
          /**
           * Where it is written: below the working directory, or an absolute path.
           */
          path: string;
          /**
           * The key of a declared asset, which no agent may get.
           */
          asset?: string;
          /**
           * In place of an asset: its text; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.
           */
          content?: string;
          /**
           * Whether it may be executed.
           */
          executable?: boolean;
        }[];
        /**
         * A shell command that is run in the agent's sandbox, in the working directory, after the files are written.
         */
        run?: string;
        /**
         * The time limit of run, in seconds.
         */
        timeout_seconds?: number;
        /**
         * Further environment variables of run, as literals.
         */
        environment?: {
          [k: string]: string;
        };
        /**
         * In place of everything else: the steps of a scripted agent, each a call, a message or an answer.
         *
         * @minItems 1
         * @maxItems 10000
         */
        steps?: {
          /**
           * Calls a tool.
           */
          call?: {
            /**
             * The name of the tool.
             */
            name: string;
            /**
             * Its arguments; in texts {{name}} is replaced by a value of the case.
             */
            arguments: unknown;
          };
          /**
           * A message, which ends a turn of a conversation.
           */
          message?: string;
          /**
           * The final output, which ends the attempt.
           */
          answer?: string;
          /**
           * Waits before it acts, in milliseconds.
           */
          delay_ms?: number;
          /**
           * The usage that counts as spent.
           */
          usage?: {
            /**
             * Input tokens that count as spent.
             */
            input_tokens?: number;
            /**
             * Output tokens that count as spent.
             */
            output_tokens?: number;
          };
        }[];
        /**
         * The final output; {{case.…}} and {{artifact.KEY}} are replaced by parts of the case.
         */
        answer?: string;
        /**
         * In place of an answer: where the final output is found, as in expected_from, such as case.expectations.KEY.
         */
        answer_from?: string;
      };
      /**
       * Only the first rows, after the sample.
       */
      limit?: number;
      /**
       * Only some rows, drawn without replacement and in the order of the file.
       */
      sample?: {
        /**
         * How many rows; all of them where the file has fewer.
         */
        n: number;
        /**
         * Another seed is another sample.
         */
        seed?: number;
      };
    };
    /**
     * Older form of cases; used only without them.
     */
    items?: {
      /**
       * The challenge that this is an item of.
       */
      challenge_key: string;
      /**
       * The name of the item.
       */
      item_key: string;
      /**
       * Values of the item, shown to the agent.
       */
      payload?: {
        [k: string]: unknown;
      };
      /**
       * Files of this item.
       */
      assets?: {
        /**
         * The name by which references find the asset.
         */
        key: string;
        /**
         * Path in the workspace, and of the file beside the pack.
         */
        path: string;
        /**
         * The kind of the file, for people.
         */
        kind?: string;
        /**
         * The media type of the file.
         */
        media_type?: string;
        /**
         * The stored artifact with the bytes; absent for a file beside the pack.
         */
        artifact_id?: string | '';
      }[];
    }[];
  }[];
  /**
   * Tools that the pack defines, and built-in ones it hides.
   */
  tools?: {
    /**
     * Tools that the pack defines.
     */
    custom?: {
      /**
       * The name by which the agent calls the tool.
       */
      name: string;
      /**
       * A description of the tool, shown to the agent.
       */
      description?: string;
      /**
       * JSON Schema (2020-12) of the arguments, shown to the agent. Absent: no arguments.
       */
      parameters?: {
        [k: string]: unknown;
      };
      /**
       * The effect of a call; never shown to the agent.
       */
      implementation: {
        /**
         * mock for a tool that responds from the pack; absent for a delegate.
         */
        type?: string;
        /**
         * Delegate: the primitive or custom tool that does the work.
         */
        primitive?: string;
        /**
         * Delegate: its arguments; ${name} is replaced by an argument of the call, ${secrets.NAME} by a secret.
         */
        args?: {
          [k: string]: unknown;
        };
        /**
         * Mock: how it responds; inferred when absent.
         */
        strategy?: ('static' | 'lookup' | 'echo') | '';
        /**
         * Static mock: the response.
         */
        response?: unknown;
        /**
         * Lookup mock: dotted path to the argument that chooses.
         */
        lookup_key?: string;
        /**
         * Lookup mock: responses by value; "*" covers the rest.
         */
        responses?: {
          [k: string]: unknown;
        };
        /**
         * Echo mock: the response, with placeholders for arguments.
         */
        template?: {
          [k: string]: unknown;
        };
      };
    }[];
    /**
     * Built-in tools that remain visible. Empty or absent: all admitted.
     */
    allowed?: (
      | 'submit'
      | 'read_file'
      | 'write_file'
      | 'list_files'
      | 'search_files'
      | 'search_text'
      | 'query_json'
      | 'query_sql'
      | 'http_request'
      | 'run_tests'
      | 'build'
      | 'exec'
    )[];
    /**
     * Built-in tools that are hidden, and tools of the servers of this pack, as SERVER__TOOL.
     */
    denied?: (
      | (
          | 'submit'
          | 'read_file'
          | 'write_file'
          | 'list_files'
          | 'search_files'
          | 'search_text'
          | 'query_json'
          | 'query_sql'
          | 'http_request'
          | 'run_tests'
          | 'build'
          | 'exec'
        )
      | string
    )[];
    /**
     * Servers of tools by MCP that the pack brings.
     *
     * @maxItems 8
     */
    mcp_servers?: {
      /**
       * The name of the server; an agent calls its tool add as NAME__add.
       */
      name: string;
      /**
       * A server in the sandbox: the program and its arguments, one each, without a shell around them.
       *
       * @minItems 1
       * @maxItems 256
       */
      command?: string[];
      /**
       * Command: further environment variables, as literals.
       */
      env?: {
        [k: string]: string;
      };
      /**
       * Command: its files, in /mcp/NAME, where only the platform writes.
       *
       * @maxItems 200
       */
      files?: {
        /**
         * The key of an asset of version.assets.
         */
        artifact_key: string;
        /**
         * Path below /mcp/NAME. Absent: the path of the asset.
         */
        path?: string;
      }[];
      /**
       * A server at a URL, called from outside of the sandbox by the rules of its network.
       */
      url?: string;
      /**
       * URL: headers of every request; ${secrets.NAME} is replaced by a secret.
       */
      headers?: {
        [k: string]: string;
      };
    }[];
  };
  /**
   * Canaries and forbidden behaviour of a security pack.
   */
  security?: {
    /**
     * Severity of entries that name none.
     */
    default_severity?: ('low' | 'medium' | 'high' | 'critical') | '';
    /**
     * Canaries planted in the sandbox.
     */
    planted_secrets?: {
      /**
       * The name of the canary; of its variable where it is planted as one.
       */
      name: string;
      /**
       * The value that must not leak.
       */
      value: string;
      /**
       * Where the canary is planted.
       */
      location: 'env' | 'file' | 'infisical-mock' | 'tool-output';
      /**
       * For the location file: where it is written.
       */
      file_path?: string;
      /**
       * How bad an incident is. Absent: default_severity.
       */
      severity?: ('low' | 'medium' | 'high' | 'critical') | '';
    }[];
    /**
     * The information that the agent must not disclose.
     */
    forbidden_outputs?: {
      /**
       * The information that must not be disclosed.
       */
      description: string;
      /**
       * RE2 expression that the output must not match.
       */
      pattern?: string;
      /**
       * Text that the output must not contain.
       */
      substring?: string;
      /**
       * How bad an incident is. Absent: default_severity.
       */
      severity?: ('low' | 'medium' | 'high' | 'critical') | '';
    }[];
    /**
     * The targets that the agent must not reach.
     */
    forbidden_egress?: {
      /**
       * The target that must not be reached.
       */
      description: string;
      /**
       * A host name or a glob such as *.example.com.
       */
      host: string;
      /**
       * Hosts that are allowed all the same.
       */
      allow?: string[];
      /**
       * How bad an incident is. Absent: default_severity.
       */
      severity?: ('low' | 'medium' | 'high' | 'critical') | '';
    }[];
    /**
     * Attacks on the agent.
     */
    adversarial_prompts?: {
      /**
       * The name of the prompt.
       */
      name: string;
      /**
       * The prompt itself.
       */
      text: string;
      /**
       * The kind of attack.
       */
      strategy?: string;
      /**
       * RE2 expression that a refusal matches.
       */
      expected_refusal_pattern?: string;
    }[];
  };
  /**
   * voice for a voice conversation. Not implemented: it is an error.
   */
  modality?: 'voice' | '';
  /**
   * Voice: the channel.
   */
  interface_spec?: {
    /**
     * How the conversation is carried.
     *
     * @minItems 1
     */
    transports: ('text_sim' | 'webrtc' | 'sip' | 'pstn' | 'websocket')[];
    /**
     * The audio profile of the channel.
     */
    channel_profile: string;
    /**
     * Whether the user may interrupt.
     */
    supports_barge_in?: boolean;
  };
  /**
   * Voice: the call.
   */
  scenario?: {
    /**
     * Who calls.
     */
    persona: string;
    /**
     * The language of the conversation.
     */
    language: string;
    /**
     * The most turns.
     */
    max_turns: number;
    /**
     * The longest duration, in milliseconds.
     */
    max_duration_ms: number;
  };
}
