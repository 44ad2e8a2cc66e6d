import { ExitCode, HermesError, nearest } from '@hermes/runtime';

const usage = { exitCode: ExitCode.usage };

export function noProvider(): HermesError {
  return new HermesError('no_provider', 'No model provider is configured.', {
    ...usage,
    hints: [
      'With a key: `hermes config set OPENROUTER_API_KEY <key>` (or OPENAI_API_KEY).',
      'With a local server such as Ollama: `hermes config set model.provider ollama` and `hermes config set model.default <model>`.',
      'Without either: `hermes --demo` runs the scripted demo model, which is no AI.',
    ],
  });
}

export function unknownProvider(id: string, known: readonly string[]): HermesError {
  const [near] = nearest(id, known, 1);
  return new HermesError('unknown_provider', `There is no provider ${id}.`, {
    ...usage,
    hints: [
      ...(near === undefined ? [] : [`Did you mean ${near}?`]),
      `Known providers: ${known.join(', ')}.`,
      `To add your own: \`hermes config set providers.${id}.base_url <url>\`.`,
    ],
  });
}

export function switchedOff(id: string): HermesError {
  return new HermesError('unknown_provider', `Provider ${id} is switched off.`, {
    ...usage,
    hints: [`Switch it on: \`hermes config set providers.${id}.enabled true\`.`],
  });
}

export function missingKey(provider: string, keyEnv: string): HermesError {
  return new HermesError('missing_key', `Provider ${provider} needs a key, and ${keyEnv} is not set.`, {
    ...usage,
    hints: [
      `Keep it for good: \`hermes config set ${keyEnv} <key>\`.`,
      `For this shell only: \`export ${keyEnv}=<key>\`.`,
    ],
  });
}

export function noModel(provider: string): HermesError {
  return new HermesError('no_model', `Provider ${provider} is chosen, but no model.`, {
    ...usage,
    hints: ['Keep one: `hermes config set model.default <model>`.', 'For this call only: `--model <model>`.'],
  });
}

export function badBaseUrl(provider: string, baseUrl: string): HermesError {
  const problem = baseUrl === '' ? 'is missing.' : `is not an http(s) address: ${baseUrl}`;
  return new HermesError('bad_base_url', `The base_url of provider ${provider} ${problem}`, {
    exitCode: ExitCode.config,
    hints: [`Set it: \`hermes config set providers.${provider}.base_url http://host:port/v1\`.`],
  });
}

export function unknownApiMode(provider: string, apiMode: string): HermesError {
  return new HermesError(
    'unknown_api_mode',
    `Provider ${provider} has the API mode ${apiMode}, which is not supported.`,
    {
      exitCode: ExitCode.config,
      hints: ['Supported: chat_completions.'],
    },
  );
}
