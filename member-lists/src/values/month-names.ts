/** The languages of the dashboard, with those of their regions that have other names of months. */
const languages = ['en', 'en-GB', 'de', 'de-AT', 'fr', 'es', 'es-PE'];
/** Short names of spreadsheets that differ from those of `Intl`. */
const otherMonths: Readonly<Record<string, number>> = { mrz: 3, sep: 9 };

interface Names {
  readonly months: ReadonlyMap<string, number>;
  readonly weekdays: ReadonlySet<string>;
}

let known: Names | undefined;

/** Read when they are first needed: that takes 12 ms, and most processes read no dates. */
function names(): Names {
  known ??= readNames();
  return known;
}

function readNames(): Names {
  const months = new Map(Object.entries(otherMonths));
  const weekdays = new Set<string>();
  for (const language of languages) {
    for (const form of ['long', 'short'] as const) {
      const month = new Intl.DateTimeFormat(language, { month: form, timeZone: 'UTC' });
      for (let number = 1; number <= 12; number += 1)
        months.set(plainLetters(month.format(Date.UTC(2000, number - 1))), number);
      const weekday = new Intl.DateTimeFormat(language, { weekday: form, timeZone: 'UTC' });
      for (let day = 1; day <= 7; day += 1)
        weekdays.add(plainLetters(weekday.format(Date.UTC(2000, 0, day))));
    }
  }
  return { months, weekdays };
}

/** The number of a month from 1, by its name or its short name in one of the languages; undefined for other words. */
export function monthNamed(word: string): number | undefined {
  return names().months.get(plainLetters(word));
}

export function isWeekday(word: string): boolean {
  return names().weekdays.has(plainLetters(word));
}

/** In lower case, without accents and dots: "Févr." becomes "fevr". */
function plainLetters(word: string): string {
  return withoutAccents(word.toLowerCase()).replaceAll('.', '');
}

export function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
}
