import type { SearchRequest } from './search-request.ts';

/** The arguments of ripgrep for a search. Hidden files are searched, version control data and what `.gitignore` lists are not. */
export function ripgrepArguments(request: SearchRequest): string[] {
  const common = ['--no-config', '--no-messages', '--color=never', '--hidden'];
  const skipped = ['!.git', '!.hg', '!.svn', ...(request.directory === '/' ? ['!/proc', '!/sys', '!/dev'] : [])];
  const skip = skipped.map((glob) => `--glob=${glob}`);
  if (request.target === 'files') {
    const names = globFilter(nameGlob(request.pattern));
    return [...common, '--files', '--null', '--sortr=modified', ...names, ...skip, '--', request.operand];
  }
  const { pattern, fileGlob, outputMode, context } = request;
  const form = {
    content: ['--json', ...(context > 0 ? [`--context=${context}`] : [])],
    files_only: ['--files-with-matches', '--null'],
    count: ['--count', '--null', '--with-filename'],
  }[outputMode];
  return [
    ...common,
    ...form,
    '--engine=auto',
    ...(/\n|\\n/u.test(pattern) ? ['--multiline'] : []),
    ...(fileGlob === undefined ? [] : globFilter(fileGlob)),
    ...skip,
    `--regexp=${pattern}`,
    '--',
    request.operand,
  ];
}

/** A pattern for names is a glob, or a part of a name. */
function nameGlob(pattern: string): string {
  return /[*?[{/]/u.test(pattern) ? pattern : `*${pattern}*`;
}

/** A type of ripgrep selects by file name without overruling `.gitignore`, as `--glob` does; it knows no folders. */
function globFilter(glob: string): string[] {
  if (glob.includes('/') || glob.startsWith('!')) return [`--glob=${glob}`];
  return [`--type-add=wanted:${glob}`, '--type=wanted'];
}
