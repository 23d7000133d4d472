import { ERRORS, type ErrorCode, type FieldProblem, isErrorCode } from '@agentclash/contracts';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';

/** An error response, `application/problem+json` (RFC 9457), with the details of its code. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  request_id: string;
  errors?: FieldProblem[];
  [fact: string]: unknown;
}

/**
 * The failure of a call: the server's problem document; else `unavailable` when no server can be reached, or
 * `unauthenticated` when the token cannot be one.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  /** Null when the request reached no server. */
  readonly request_id: string | null;
  readonly errors: readonly FieldProblem[];
  /** Details of the code: ids to choose from, sections that changed. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    problem: Pick<ProblemDocument, 'code' | 'detail'> & Partial<ProblemDocument>,
    /** Seconds until a retry, as the server has requested. */
    readonly retryAfter: number | null = null,
    options?: { cause?: unknown },
  ) {
    const { type: _type, title: _title, status, code, detail, request_id, errors, ...facts } = problem;
    super(detail, options);
    this.code = code;
    this.status = status ?? ERRORS[code].http;
    this.detail = detail;
    this.request_id = request_id ?? null;
    this.errors = errors ?? [];
    this.facts = facts;
  }

  /** The exit code of a command that fails with this error. */
  get exitCode(): ExitCode {
    return exitCodeOf(this.code);
  }
}

/** Reads an error response, also one that a proxy wrote. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const retryAfter = /^\d+$/.exec(response.headers.get('retry-after') ?? '')?.[0];
  const seconds = retryAfter === undefined ? null : Number(retryAfter);
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return new ApiError(body, seconds);
  const { status } = response;
  const detail = `${response.url} responded with status ${status} and no problem document.`;
  return new ApiError({ ...factsOf(body), code: codeOf(status), status, detail }, seconds);
}

/** Another kind of response, such as that of `/readyz`. */
function factsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
}

/** No server can be reached, or it does not respond. */
export function unreachable(baseUrl: string, cause: unknown): ApiError {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  const detail = isLate
    ? `${baseUrl} did not respond in time.`
    : `${baseUrl} cannot be reached. Is it running?`;
  return new ApiError({ code: 'unavailable', detail }, null, { cause });
}

/** The given token cannot be one, nor be sent as one. */
export function impossibleToken(): ApiError {
  const detail =
    'The token holds characters that no token has, such as spaces or letters with accents. Was it copied whole?';
  return new ApiError({ code: 'unauthenticated', detail });
}

function isProblem(body: unknown): body is ProblemDocument {
  if (typeof body !== 'object' || body === null) return false;
  const { code, detail } = body as Partial<ProblemDocument>;
  return isErrorCode(code) && typeof detail === 'string';
}

function codeOf(status: number): ErrorCode {
  const known = Object.entries(ERRORS).find(([, error]) => error.http === status)?.[0];
  if (isErrorCode(known)) return known;
  if (status >= 500) return 'unavailable';
  return 'unreadable';
}

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT_CODES.unauthorized,
  403: EXIT_CODES.unauthorized,
  404: EXIT_CODES.not_found,
  429: EXIT_CODES.try_again,
  500: EXIT_CODES.try_again,
  503: EXIT_CODES.unavailable,
};

/** The exit code of a command that an error with this code ended. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  return BY_STATUS[ERRORS[code].http] ?? EXIT_CODES.usage;
}
