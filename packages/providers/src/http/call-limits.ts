/** How long a model call may take, in milliseconds. */
export interface CallLimits {
  /** From the request to the end of the answer. */
  readonly wholeMs: number;
  /** Without a single byte from the server. */
  readonly silenceMs: number;
}

/** Source: turn engine spec 13, "Call watchdogs". */
export const REMOTE_LIMITS: CallLimits = { wholeMs: 1_800_000, silenceMs: 120_000 };

/** A local server may read a long prompt for minutes before it says anything. Source: turn engine spec 13. */
export const LOCAL_LIMITS: CallLimits = { wholeMs: 1_800_000, silenceMs: 1_800_000 };

const LOCAL_HOST =
  /^(localhost|.*\.local(host)?|host\.docker\.internal|0\.0\.0\.0|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[::1?\]|\[f[cd].*\])$/;

/** Whether a URL points at this machine or its own network. */
export function isLocalUrl(url: string): boolean {
  return URL.canParse(url) && LOCAL_HOST.test(new URL(url).hostname);
}

/**
 * The limits for calls to a server.
 *
 * @example
 * callLimits('http://127.0.0.1:11434/v1').silenceMs; // 1_800_000
 */
export function callLimits(baseUrl: string, overrides: Partial<CallLimits> = {}): CallLimits {
  return { ...(isLocalUrl(baseUrl) ? LOCAL_LIMITS : REMOTE_LIMITS), ...overrides };
}
