import { chatModel, createEngine } from '@hermes/turn-engine';

const engine = createEngine({
  model: chatModel({ baseUrl: process.env['BASE_URL'] ?? 'http://127.0.0.1:11434/v1', model: process.env['MODEL'] ?? 'qwen3' }),
  tools: [{ name: 'add', description: 'Add two numbers.', parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }, handler: ({ a, b }) => ({ sum: Number(a) + Number(b) }) }],
});
const session = await engine.openSession();
const run = session.run('What is 2 + 3?', { limit: 10 });
for await (const event of run.events) if (event.type === 'text.delta') process.stdout.write(event.text);
console.log(`\n${(await run.result).outcome}`);
await engine.close();
