/** Steps of a `normalized_match` pipeline, applied to both sides in the order written. */
export type NormalizationStep =
  | 'trim'
  | 'lowercase'
  | 'collapse_whitespace'
  | 'strip_punctuation'
  | 'strip_currency'
  | 'strip_formatting'
  | 'normalize_unicode'
  | 'remove_articles'
  | 'sort_words'
  | 'sort_lines';

/** Which number of a longer text counts. */
export type NumberExtraction = 'only' | 'first' | 'last' | 'delimiter';

/** How the number of a text is found. Without `extract` the text itself is the number. */
export interface NumberSource {
  extract?: NumberExtraction;
  answer_delimiter: string;
  /** The older spelling: the first number, all commas dropped. */
  extract_number: boolean;
}

/** How a text becomes tokens: at white space, as `rouge_score` or as mteval-v13a and sacreBLEU split it. */
export type Tokenizer = 'whitespace' | 'rouge' | '13a';

/** The count of an order without a match in BLEU. `method1` is an older formula of ours, and not NLTK's. */
export type Smoothing = 'none' | 'nltk_method1' | 'method2' | 'method3' | 'method1';

/** The length to which the edit distance is relative: both lengths together, or the longer one. */
export type DistanceScale = 'sum' | 'longest';

/** One expected step of a trajectory; `arguments` is judged only where the author wrote it. */
export interface ExpectedToolCall {
  tool_name: string;
  arguments?: Record<string, unknown>;
}

/** A type that takes no configuration. */
export type NoConfig = Record<never, never>;

/** Settings of the types that score how alike two texts are. */
export interface GradedText {
  threshold: number;
  case_insensitive: boolean;
  normalize: boolean;
}

/** Settings of the types that look at one end of the output. */
export interface Affix {
  case_insensitive: boolean;
  trim: boolean;
}

export type PostconditionConfig =
  | { condition: 'exists' | 'not_exists' }
  | { condition: 'contains' | 'not_contains' | 'regex_match'; value: string }
  | { condition: 'equals'; value: unknown }
  | { condition: 'json_path_match'; json_path: string; value: unknown };

/** The interpreter of a script. */
export type ScriptRuntime = 'python' | 'node';

/** How the file of a report is written. */
export type ReportFormat = 'reward' | 'reward_json' | 'ctrf' | 'junit';

/** A file that a test command writes; of several the first that exists is the score. */
export interface Report {
  path: string;
  format: ReportFormat;
  /** Of `reward_json`: the metric that is the score; absent: `reward`, else the mean of all. */
  metric?: string;
}

/**
 * The configuration of every validator type, defaults filled in. What is optional here has no default: its absence
 * means something (no bound, no tolerance, the old tolerance pair unused, steps to be read from `expected_from`).
 */
export interface ValidatorConfigs {
  exact_match: NoConfig;
  contains: NoConfig;
  not_contains: { case_insensitive: boolean };
  starts_with: Affix;
  ends_with: Affix;
  regex_match: NoConfig;
  boolean_assert: NoConfig;
  normalized_match: { pipeline: NormalizationStep[] };
  fuzzy_match: GradedText & { relative_to: DistanceScale };
  length_range: { unit: 'characters' | 'words' | 'lines'; min?: number; max?: number };
  list_match: {
    mode: 'set' | 'ordered';
    separator?: string;
    threshold: number;
    case_insensitive: boolean;
  };
  numeric_match: NumberSource & {
    absolute_tolerance?: number;
    relative_tolerance?: number;
    significant_digits?: number;
  };
  number_range: NumberSource & {
    min?: number;
    max?: number;
    exclusive_min: boolean;
    exclusive_max: boolean;
  };
  math_equivalence: {
    extract_answer: boolean;
    answer_delimiter: string;
    comparison_mode: 'symbolic' | 'numeric';
    numeric_fallback: boolean;
    tolerance: number;
  };
  token_f1: {
    threshold: number;
    normalize: boolean;
    remove_punctuation: boolean;
    remove_articles: boolean;
  };
  bleu_score: GradedText & { max_ngram: number; smoothing: Smoothing; tokenizer: Tokenizer };
  rouge_score: GradedText & {
    variant: 'rouge-1' | 'rouge-2' | 'rouge-l';
    beta: number;
    tokenizer: Tokenizer;
    stemmer: boolean;
  };
  chrf_score: GradedText & { char_order: number; beta: number };
  json_schema: NoConfig;
  json_path_match: NoConfig;
  xml_valid: { root_element?: string };
  csv_match: {
    delimiter: string;
    header: boolean;
    ignore_row_order: boolean;
    ignore_column_order: boolean;
    trim_cells: boolean;
    threshold: number;
  };
  file_exists: { must_exist: boolean };
  file_content_match: {
    match_mode: 'contains' | 'exact' | 'regex' | 'not_contains' | 'json_equal';
    ignore_whitespace: boolean;
  };
  file_json_schema: { schema: Record<string, unknown> };
  directory_structure: {
    required_files: string[];
    forbidden_files: string[];
    required_directories: string[];
  };
  postcondition: PostconditionConfig;
  code_execution: {
    test_command: string;
    timeout_ms: number;
    scoring: 'fraction_passed' | 'all_or_nothing';
    pass_threshold: number;
    report_path?: string;
    reports?: Report[];
    /** Absent: the mean. */
    phases?: 'mean' | 'final';
  };
  script: { artifact_key: string; runtime?: ScriptRuntime; timeout_ms: number };
  tool_call_assertion: {
    tool_name?: string;
    must_call?: boolean;
    count?: number;
    min_count?: number;
    max_count?: number;
    arguments_contain?: Record<string, unknown>;
    ordered_tools?: string[];
    order_mode: 'subsequence' | 'exact';
  };
  trajectory_match: {
    mode: 'strict' | 'unordered' | 'subset' | 'superset';
    expected?: ExpectedToolCall[];
    arguments: 'ignore' | 'exact' | 'contains';
    include_failed: boolean;
  };
}

export type ValidatorType = keyof ValidatorConfigs;
export type ValidatorConfig<T extends ValidatorType = ValidatorType> = ValidatorConfigs[T];
