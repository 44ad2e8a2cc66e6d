// The least a loop can do: ask the model, run the command, ask again. No store, no checks, no prompt. Its time is the floor of every
// other one on the same machine in the same run.
import { spawn } from 'node:child_process';

const [url = '', shell = '/bin/bash'] = process.argv.slice(2);
const messages = [{ role: 'user', content: 'go' }];
const tools = [
  {
    type: 'function',
    function: {
      name: 'terminal',
      description: 'Run a command.',
      parameters: { type: 'object', properties: { command: { type: 'string' } } },
    },
  },
];

for (;;) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages, tools }),
  });
  const calls = [];
  let content = '';
  for (const line of (await response.text()).split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const delta = JSON.parse(line.slice(6)).choices?.[0]?.delta ?? {};
    content += delta.content ?? '';
    for (const part of delta.tool_calls ?? []) {
      calls[part.index] ??= { id: part.id, type: 'function', function: { name: part.function.name, arguments: '' } };
      calls[part.index].function.arguments += part.function.arguments ?? '';
    }
  }
  if (calls.length === 0) break;
  messages.push({ role: 'assistant', content, tool_calls: calls });
  for (const call of calls) {
    const output = await run(JSON.parse(call.function.arguments).command);
    messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify({ output }) });
  }
}

function run(command) {
  return new Promise((resolve) => {
    const child = spawn(shell, ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', () => resolve(output));
  });
}
