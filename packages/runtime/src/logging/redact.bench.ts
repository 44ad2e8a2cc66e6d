import { test } from 'vitest';
import { createRedactor } from './redact.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

const redact = createRedactor(['an-exact-secret-value', 'another-exact-value']);
const LINE = 'started turn 5 of session 20260102_030405_abcdef with 3 tools in 120 ms';
const CODE = 'const token = await getToken(options.key); // password: see the docs at https://example.com/a?b=1\n';
const PLANTED = TOKEN_SHAPES.map((shape) => `value ${shape.sample.join('')} end`).join('\n');

test('redaction', async ({ bench }) => {
  await bench.compare(
    bench('one log line', () => void redact(LINE)),
    bench('50 KB of source code', () => void redact(CODE.repeat(500))),
    bench('a text full of tokens', () => void redact(PLANTED)),
  );
});
