/** Languages the demo model understands and answers in. */
export type DemoLanguage = 'en' | 'zh';

/** The same text in every language. */
export type DemoText = Readonly<Record<DemoLanguage, string>>;

/** Chinese when the text holds a Chinese character, else English. */
export function languageOf(text: string): DemoLanguage {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}
