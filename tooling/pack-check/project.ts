import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty npm project in a temporary folder. */
export interface Project {
  readonly folder: string;
  /**
   * Runs a command in it, with a home of its own, and gives its standard output. Rejects with all output on failure.
   */
  readonly run: (file: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>;
}

const COMMAND_LIMIT_MS = 180_000;

/** Makes an empty project, installs the given packages into it, and removes it after `use`. */
export async function withProject(
  packages: readonly string[],
  use: (project: Project) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-pack-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    // Here the person's own npm settings hold, such as the registry.
    await execute('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], folder, process.env);
    const env = { ...process.env, HOME: folder, HERMES_HOME: join(folder, 'home') };
    await use({ folder, run: (file, args, more) => execute(file, args, folder, { ...env, ...more }) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function execute(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, env, timeout: COMMAND_LIMIT_MS, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error }));
    });
  });
}
