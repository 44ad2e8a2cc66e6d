import { join } from 'node:path';
import { withProject } from './project.ts';

/** The packed command must say its version and finish a task with the demo model, which needs database and search. */
export async function checkCommand(tarball: string): Promise<void> {
  await withProject([tarball], async ({ folder, run }) => {
    const hermes = join(folder, 'node_modules', '.bin', 'hermes');
    const version = await run(hermes, ['--version']);
    const answer = await run(hermes, ['-z', 'say hello', '--demo']);
    if (answer.trim() === '') throw new Error('hermes -z with the demo model printed no answer.');
    console.log(`cli: installs and runs (${version.trim()})`);
  });
}
