import { HermesError } from '../errors/hermes-error.ts';

interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly hint: string;
}

/** What the operating system's error names mean to a person. */
const FAILURES: Readonly<Record<string, Failure>> = {
  EACCES: { code: 'permission_denied', reason: 'permission denied', hint: 'Check who owns it and its mode (ls -ld).' },
  EPERM: {
    code: 'permission_denied',
    reason: 'the system does not allow it',
    hint: 'Check who owns it and its mode (ls -ld).',
  },
  EROFS: {
    code: 'read_only',
    reason: 'the file system is read-only',
    hint: 'Mount it writable or choose another place.',
  },
  ENOSPC: { code: 'disk_full', reason: 'the disk is full', hint: 'Free some space (df -h) and try again.' },
  EDQUOT: { code: 'disk_full', reason: 'the disk quota is used up', hint: 'Free some space or raise the quota.' },
  EFBIG: { code: 'file_too_large', reason: 'the file size limit is reached', hint: 'Raise the limit (ulimit -f).' },
  ENOTDIR: {
    code: 'not_a_directory',
    reason: 'a part of the path is a file',
    hint: 'Move that file away or choose another place.',
  },
  EEXIST: {
    code: 'not_a_directory',
    reason: 'a file of that name is in the way',
    hint: 'Move that file away or choose another place.',
  },
  EISDIR: { code: 'is_a_directory', reason: 'a directory is in the way', hint: 'Move that directory away.' },
  ENOENT: {
    code: 'no_such_directory',
    reason: 'the directory does not exist',
    hint: 'Create the directory or choose another place.',
  },
  ELOOP: { code: 'link_loop', reason: 'its symbolic links lead in a circle', hint: 'Remove or repair the links.' },
  ENAMETOOLONG: { code: 'name_too_long', reason: 'the name is too long', hint: 'Choose a shorter path.' },
  EMFILE: { code: 'too_many_files', reason: 'too many files are open', hint: 'Raise the limit (ulimit -n).' },
  ENFILE: { code: 'too_many_files', reason: 'too many files are open', hint: 'Close other programs and try again.' },
  EIO: { code: 'disk_failure', reason: 'the disk reported an error', hint: 'Check the disk (dmesg).' },
};

/** The operating system's name of a failure, such as `ENOSPC`; undefined for anything else that was thrown. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * A failed file operation as one clear message: what was tried, where, why not, and what to do.
 *
 * @example
 * throw fileError('write', '/data/config.yaml', cause);
 * // Cannot write /data/config.yaml: the disk is full (ENOSPC).
 */
export function fileError(verb: string, path: string, cause: unknown): HermesError {
  if (cause instanceof HermesError) return cause;
  const name = errorCode(cause);
  const failure = name === undefined ? undefined : FAILURES[name];
  if (failure === undefined) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new HermesError('file_failed', `Cannot ${verb} ${path}: ${reason}.`, { cause });
  }
  return new HermesError(failure.code, `Cannot ${verb} ${path}: ${failure.reason} (${name}).`, {
    hints: [failure.hint],
    cause,
  });
}
