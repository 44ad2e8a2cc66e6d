// The model server as a process of its own: prints {"url":…} as one line and serves until it is killed.
//   node src/main.ts --script rounds --rounds 50 [--tool NAME --arguments JSON]
//   node src/main.ts --script fault --fault cutStream [--times 1] --rounds 3
//   node src/main.ts --script answer --tokens 20000
import { parseArgs } from 'node:util';
import { isFaultName } from './faults.ts';
import { startModelServer } from './model-server.ts';
import { answerScript, faultScript, type RoundsOptions, roundsScript } from './scripts.ts';
import type { Script } from './step.ts';

const { values } = parseArgs({
  options: {
    script: { type: 'string', default: 'rounds' },
    rounds: { type: 'string', default: '50' },
    tool: { type: 'string', default: 'terminal' },
    arguments: { type: 'string', default: '{"command":"true"}' },
    tokens: { type: 'string', default: '20000' },
    fault: { type: 'string', default: 'rateLimited' },
    times: { type: 'string', default: '1' },
  },
});

const server = await startModelServer({ script: scriptNamed(values.script) });
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);

function scriptNamed(name: string): Script {
  const rounds: RoundsOptions = { rounds: Number(values.rounds), tool: values.tool, arguments: values.arguments };
  if (name === 'rounds') return roundsScript(rounds);
  if (name === 'answer') return answerScript(Number(values.tokens));
  if (name === 'fault' && isFaultName(values.fault)) {
    return faultScript(values.fault, { ...rounds, times: Number(values.times) });
  }
  throw new Error(`Unknown script ${name} or fault ${values.fault}. Scripts: rounds, answer, fault.`);
}
