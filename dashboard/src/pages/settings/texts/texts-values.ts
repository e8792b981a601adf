import type { EmailTexts, ReplaceEmailTexts } from '@gatehouse/client';

/** The texts, in the order in which an email has them. */
export const textNames = ['greeting', 'welcome', 'closing'] as const;
export type TextName = (typeof textNames)[number];

/** The texts of one language; empty for the default. */
export type OwnTexts = Record<TextName, string>;

/** The texts of each language, by its tag. */
export type TextsValues = Record<string, OwnTexts>;

export function toTextsValues(saved: readonly EmailTexts[]): TextsValues {
  return Object.fromEntries(
    saved.map(({ language, greeting, welcome, closing }) => [
      language,
      { greeting: greeting ?? '', welcome: welcome ?? '', closing: closing ?? '' },
    ]),
  );
}

/** The languages whose texts differ, with what is sent for them. */
export function toChangedTexts(
  saved: readonly EmailTexts[],
  values: TextsValues,
): [language: string, texts: ReplaceEmailTexts][] {
  const before = toTextsValues(saved);
  return Object.entries(values)
    .filter(([language, texts]) => textNames.some((name) => texts[name].trim() !== before[language]?.[name]))
    .map(([language, texts]) => [language, toTexts(texts)]);
}

/** Whether somebody else has changed the texts of a language since: `now` has the texts of some languages. */
export function haveChanged(base: readonly EmailTexts[], now: readonly EmailTexts[]): boolean {
  const before = toTextsValues(base);
  return Object.entries(toTextsValues(now)).some(([language, texts]) =>
    textNames.some((name) => before[language]?.[name] !== texts[name]),
  );
}

function toTexts({ greeting, welcome, closing }: OwnTexts): ReplaceEmailTexts {
  return {
    greeting: greeting.trim() || null,
    welcome: welcome.trim() || null,
    closing: closing.trim() || null,
  };
}
