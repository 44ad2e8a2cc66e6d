import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createEngine } from '@hermes/turn-engine';
import { fromLanguageModel } from '@hermes/turn-engine/ai-sdk';

const { BASE_URL = 'http://127.0.0.1:11434/v1', MODEL = 'qwen3' } = process.env;
const provider = createOpenAICompatible({ name: 'local', baseURL: BASE_URL, includeUsage: true });
const add = { name: 'add', description: 'Adds the numbers a and b.', parameters: { type: 'object' } };
const engine = createEngine({
  model: fromLanguageModel(provider.chatModel(MODEL), { contextWindow: 32_000 }),
  tools: [{ ...add, handler: ({ a, b }) => Number(a) + Number(b) }],
});
const run = (await engine.openSession()).run('What is 2 + 3?', { limit: 10 });
for await (const event of run.events) if (event.type === 'text.delta') process.stdout.write(event.text);
console.log(`\n${(await run.result).outcome}`);
