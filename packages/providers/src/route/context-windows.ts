/**
 * Windows of model families in tokens, as published by their makers. The longest key contained in a model's name decides.
 * Source of the rule: turn engine spec 18, "Context window".
 */
const FAMILIES: Readonly<Record<string, number>> = {
  claude: 200_000,
  'gpt-4o': 128_000,
  'gpt-4-turbo': 128_000,
  'gpt-4.1': 1_047_576,
  'gpt-5': 400_000,
  o3: 200_000,
  'o4-mini': 200_000,
  'gemini-2.0': 1_048_576,
  'gemini-2.5': 1_048_576,
  'deepseek-chat': 128_000,
  'deepseek-reasoner': 128_000,
  'llama-3.1': 131_072,
  'llama-3.3': 131_072,
  'kimi-k2': 131_072,
  'mistral-large': 128_000,
};

const LONGEST_FIRST = Object.keys(FAMILIES).sort((a, b) => b.length - a.length);

/** The window of a model's family, or `undefined` when nobody knows it. */
export function familyWindow(model: string): number | undefined {
  const name = model.toLowerCase();
  const family = LONGEST_FIRST.find((key) => name.includes(key));
  return family === undefined ? undefined : FAMILIES[family];
}
