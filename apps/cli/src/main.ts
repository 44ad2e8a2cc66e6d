#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { VERSION } from './program/version.ts';

// Answered before anything else is loaded: scripts ask for it often.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`hermes ${VERSION}\n`);
} else {
  enableCompileCache();
  const { runProgram } = await import('./program/run-program.ts');
  await runProgram(process.argv.slice(2));
}
