/** A step of the set-up that could not be done, in words for the person in front of it. */
export class StepFailure extends Error {
  /**
   * @param {string} step what was tried, as in "install the dependencies"
   * @param {string} output everything the failed command printed, or the message of a system error
   * @param {string} [log] where the whole output lies
   */
  constructor(step, output, log) {
    const { cause, advice, detail } = explain(output);
    super(
      [
        `hermes: could not ${step}.`,
        `  Why:  ${cause}${detail === '' ? '' : ` (${detail})`}`,
        `  Next: ${advice}`,
        ...(log === undefined ? [] : [`  Log:  ${log}`]),
      ].join('\n'),
    );
    this.name = 'StepFailure';
  }
}

/** A build that failed: the mistake is in the sources, so the compiler's own words are what helps. */
export class BuildFailure extends Error {
  /**
   * @param {string} output
   * @param {string} log
   */
  constructor(output, log) {
    super(`hermes: could not build the hermes command.\n${lastLines(output, 60)}\n  Log:  ${log}`);
    this.name = 'BuildFailure';
  }
}

/** The person or the system asked the set-up to stop. */
export class Interrupted extends Error {
  /** @param {number} status the exit code, 128 plus the number of the signal */
  constructor(status) {
    super('interrupted');
    this.name = 'Interrupted';
    this.status = status;
  }
}

const AGAIN = 'then run the same command again; it continues where it stopped.';

/** The first row that matches explains the failure, so the more telling sign stands above the more general one. */
const CAUSES = [
  {
    sign: /\bENOSPC\b|no space left on device/i,
    cause: 'the disk is full',
    advice: `free about 1 GB, ${AGAIN}`,
  },
  {
    sign: /\bEROFS\b|read-only file system/i,
    cause: 'the disk is read-only',
    advice: 'work in a copy on a disk that can be written.',
  },
  {
    sign: /\b(EACCES|EPERM)\b|permission denied/i,
    cause: 'a file or folder may not be written',
    advice: `give your user the right to write it, ${AGAIN}`,
  },
  {
    sign: /OUTDATED_LOCKFILE|frozen-lockfile/,
    cause: 'pnpm-lock.yaml does not match the manifests',
    advice: 'run `npm run exec -- pnpm install` and commit the lockfile with the manifest.',
  },
  {
    sign: /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)\w*|CERT_\w+)\b|self.signed certificate/i,
    cause: 'the certificate of the package registry is not trusted',
    advice: `point NODE_EXTRA_CA_CERTS (or the npm setting "cafile") to the certificate of your network, ${AGAIN}`,
  },
  {
    sign: /\b(E401|E403|E407|ERR_PNPM_FETCH_40[137])\b/,
    cause: 'the package registry or a proxy refused access',
    advice: `check the registry, token and proxy in your npm settings, ${AGAIN}`,
  },
  {
    sign: /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|ERR_PNPM_NO_OFFLINE\w*|ERR_PNPM_META_FETCH_FAIL)\b|socket hang up|network timeout/,
    cause: 'the package registry cannot be reached',
    advice: `check the network and the npm settings "registry" and "proxy", ${AGAIN}`,
  },
  {
    sign: /\b(E404|ETARGET|ERR_PNPM_FETCH_404|ERR_PNPM_NO_MATCHING_VERSION)\b/,
    cause: 'the package registry does not have a needed package for this machine',
    advice: 'install Node 24 (or 22.18 or newer) yourself if the missing package is Node, or choose another registry.',
  },
  {
    sign: /\b(EINTEGRITY|ERR_PNPM_TARBALL_INTEGRITY|Z_DATA_ERROR|ERR_PNPM_BAD_TARBALL_SIZE)\b/,
    cause: 'a download arrived damaged',
    advice: `run \`npm cache clean --force\`, ${AGAIN}`,
  },
  {
    sign: /spawn npm ENOENT/,
    cause: 'npm was not found',
    advice: `install npm or put it on PATH, ${AGAIN}`,
  },
  {
    sign: /spawn \S+node ENOENT|GLIBC\S* not found/,
    cause: 'the fetched Node does not run on this system',
    advice: `install Node 24 (or 22.18 or newer) yourself, ${AGAIN}`,
  },
];

/**
 * Condenses what a package manager printed into one cause and one thing to do.
 *
 * @param {string} output
 * @returns {{ cause: string, advice: string, detail: string }} detail is the telling line, shortened
 */
export function explain(output) {
  const lines = output
    .split('\n')
    .map((line) => line.replaceAll(/\u001B\[[\d;]*m/g, '').trim())
    .filter((line) => line !== '');
  for (const { sign, cause, advice } of CAUSES) {
    const telling = lines.filter((line) => sign.test(line));
    if (telling.length > 0) return { cause, advice, detail: shorten(longest(telling.map(withoutLabel))) };
  }
  const last = lines.findLast((line) => /err/i.test(line)) ?? lines.at(-1) ?? 'it printed nothing';
  return { cause: shorten(withoutLabel(last)), advice: `read the log, mend the cause, ${AGAIN}`, detail: '' };
}

/**
 * Without the words that npm and pnpm put in front.
 *
 * @param {string} line
 */
function withoutLabel(line) {
  return line.replace(/^(npm (error|ERR!|warn)|ERROR|WARN)\s+((code|errno|syscall) )?/, '').trim();
}

/**
 * @param {string} text
 * @param {number} count
 */
function lastLines(text, count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * The bare code is one of the matching lines; the sentence around it says more.
 *
 * @param {string[]} lines
 */
function longest(lines) {
  return lines.slice(0, 5).reduce((best, line) => (line.length > best.length ? line : best));
}

/**
 * @param {string} line
 */
function shorten(line) {
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
