import { chatModel, createEngine } from '@hermes/turn-engine';

const { BASE_URL = 'http://127.0.0.1:11434/v1', MODEL = 'qwen3' } = process.env;
const add = { name: 'add', description: 'Adds the numbers a and b.', parameters: { type: 'object' } };
const engine = createEngine({
  model: chatModel({ baseUrl: BASE_URL, model: MODEL }),
  tools: [{ ...add, handler: ({ a, b }) => Number(a) + Number(b) }],
});
const run = (await engine.openSession()).run('What is 2 + 3?', { limit: 10 });
for await (const event of run.events) if (event.type === 'text.delta') process.stdout.write(event.text);
console.log(`\n${(await run.result).outcome}`);
