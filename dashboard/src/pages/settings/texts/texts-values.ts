import type { EmailTexts, ReplaceEmailTexts } from '@gatehouse/client';

/** The texts, in the order in which an email has them. */
export const textNames = ['greeting', 'welcome', 'closing'] as const;
export type TextName = (typeof textNames)[number];

/** The texts of one language; empty for the default. */
export type OwnTexts = Record<TextName, string>;

/** The texts of each language, by its tag. */
export type TextsValues = Record<string, OwnTexts>;

export function toTextsValues(saved: readonly EmailTexts[]): TextsValues {
  return Object.fromEntries(saved.map((texts) => [texts.language, toOwnTexts(texts)]));
}

export function toOwnTexts({ greeting, welcome, closing }: EmailTexts): OwnTexts {
  return { greeting: greeting ?? '', welcome: welcome ?? '', closing: closing ?? '' };
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

/** Whether texts are saved, apart from spaces, some of which the service removes. */
export function areSaved(sent: ReplaceEmailTexts, now: EmailTexts): boolean {
  return textNames.every((name) => withSingleSpaces(sent[name]) === withSingleSpaces(now[name]));
}

/** The texts, with those of one language replaced. */
export function withTexts(all: readonly EmailTexts[], texts: EmailTexts): EmailTexts[] {
  return all.map((each) => (each.language === texts.language ? texts : each));
}

function withSingleSpaces(text: string | null): string | undefined {
  return text?.normalize('NFC').replace(/\s+/g, ' ');
}

function toTexts({ greeting, welcome, closing }: OwnTexts): ReplaceEmailTexts {
  return {
    greeting: greeting.trim() || null,
    welcome: welcome.trim() || null,
    closing: closing.trim() || null,
  };
}
