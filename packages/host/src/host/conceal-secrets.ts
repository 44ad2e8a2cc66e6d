import { mask, type SecretScope } from '@hermes/runtime';

/** Shorter values are words and numbers as likely as secrets; masking them would garble texts. */
const SHORTEST = 8;

/**
 * A function that masks the profile's own credentials in a text: as they are, and as they stand inside JSON.
 *
 * @example
 * concealSecrets(secrets)('{"output":"KEY=sk-0123456789abcdef"}'); // '{"output":"KEY=sk-012...cdef"}'
 */
export function concealSecrets(secrets: SecretScope): (text: string) => string {
  const forms = secrets
    .values()
    .filter((value) => value.length >= SHORTEST)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)].map((form) => ({ form, shown: mask(value) })))
    .toSorted((a, b) => b.form.length - a.form.length);
  return (text) => {
    let clean = text;
    for (const { form, shown } of forms) if (clean.includes(form)) clean = clean.replaceAll(form, () => shown);
    return clean;
  };
}
