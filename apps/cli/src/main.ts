#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { VERSION } from './program/version.ts';

// Answered before anything else is loaded: scripts ask for it often.
if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`hermes ${VERSION}\n`);
} else {
  // What is typed while the interface loads must not be echoed or edited by the terminal. Whoever wants its line mode sets it.
  if (opensInterface(process.argv.slice(2)) && process.stdin.isTTY && process.stdout.isTTY)
    process.stdin.setRawMode(true);
  enableCompileCache();
  const { runProgram } = await import('./program/run-program.ts');
  await runProgram(process.argv.slice(2));
}

/** Flags alone open the interface, unless they ask for one answer, help, or the line interface. */
function opensInterface(args: readonly string[]): boolean {
  const words = new Set(args);
  const others = ['-z', '--oneshot', '-h', '--help', '-V', '--version', '--cli'];
  const [first = '-'] = args;
  return (first.startsWith('-') || first === 'chat') && !others.some((flag) => words.has(flag));
}
