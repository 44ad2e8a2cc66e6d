import { createInterface } from 'node:readline/promises';
import { type Host, openHost, persistModel } from '@hermes/host';
import { ExitCode, HermesError } from '@hermes/runtime';
import { writeJson, writeOut } from '../output/write-out.ts';
import { type CallContext, hostOptions } from '../program/call-context.ts';

export interface ModelFlags {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly set?: string;
}

/** `hermes model`: shows what is used and what there is; on a terminal it asks which one to make the default. */
export async function model(context: CallContext, flags: ModelFlags): Promise<number> {
  const host = await openHost(hostOptions(context, 'cli'));
  try {
    if (flags.set !== undefined) return await setDefault(host, flags.set);
    const options = await host.modelOptions({ probeLocal: true });
    const { state } = host.model;
    if (flags.json) {
      await writeJson({
        current: state.ok ? { provider: state.route.provider, model: state.route.model } : null,
        options,
      });
      return ExitCode.ok;
    }
    const interactive = !flags.list && process.stdin.isTTY && process.stdout.isTTY;
    const current = state.ok ? `${state.route.provider}/${state.route.model}` : state.error.message;
    const lines = options.map((option, index) => {
      const place = { config: '', local: ` · server at ${option.base_url}`, demo: ' · scripted, no AI' }[option.origin];
      const label = interactive ? `${String(index + 1).padStart(3)}. ` : '  ';
      return `${label}${option.provider}/${option.model}${place}${option.current ? ' · in use' : ''}`;
    });
    await writeOut(`Current: ${current}\n${lines.join('\n')}\n`);
    if (!state.ok) process.stderr.write(state.error.hints.map((hint) => `  ${hint}\n`).join(''));
    return interactive ? await choose(host, options) : ExitCode.ok;
  } finally {
    await host.close();
  }
}

async function setDefault(host: Host, choice: string): Promise<number> {
  await writeOut(`${await persistModel(host, host.model.select({ model: choice }))}\n`);
  return ExitCode.ok;
}

async function choose(host: Host, options: Awaited<ReturnType<Host['modelOptions']>>): Promise<number> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = (await terminal.question('Number of the model to use by default, or Enter to leave it: ')).trim();
    if (answer === '') return ExitCode.ok;
    const option = options[Number(answer) - 1];
    if (!option) throw new HermesError('usage', `${answer} is not in the list.`, { exitCode: ExitCode.usage });
    const baseUrl = option.origin === 'local' ? option.base_url : undefined;
    const route = host.model.select({ provider: option.provider, model: option.model }, baseUrl);
    await writeOut(`${await persistModel(host, route)}\n`);
    return ExitCode.ok;
  } finally {
    terminal.close();
  }
}
