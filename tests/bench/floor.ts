// The least a loop can do: ask the model, run the command, ask again. No store, no checks, no prompt. Its time is the floor of every
// other one on the same machine in the same run.
import { spawn } from 'node:child_process';

interface Call {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; arguments: string };
}

const [url = '', shell = '/bin/bash'] = process.argv.slice(2);
const messages: object[] = [{ role: 'user', content: 'go' }];
const parameters = { type: 'object', properties: { command: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'terminal', description: 'Run a command.', parameters } }];

for (;;) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages, tools }),
  });
  const { content, calls } = readAnswer(await response.text());
  if (calls.length === 0) break;
  messages.push({ role: 'assistant', content, tool_calls: calls });
  for (const call of calls) {
    const { command } = JSON.parse(call.function.arguments) as { command: string };
    messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify({ output: await run(command) }) });
  }
}

function readAnswer(body: string): { content: string; calls: Call[] } {
  const calls: Call[] = [];
  let content = '';
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { choices } = JSON.parse(line.slice(6)) as {
      choices?: { delta: { content?: string; tool_calls?: (Call & { index: number })[] } }[];
    };
    const delta = choices?.[0]?.delta;
    content += delta?.content ?? '';
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      calls[index] ??= { id, type: 'function', function: { name: part.name, arguments: '' } };
      calls[index].function.arguments += part.arguments ?? '';
    }
  }
  return { content, calls };
}

function run(command: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(shell, ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('close', () => resolve(output));
  });
}
