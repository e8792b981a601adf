const lower = 'a-zàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßœšž';
const upper = 'A-ZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŸŒŠŽ';
const vowel = 'aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿœ';
/** A word, a name such as `McGrégor`, or all in capitals, where only ß stays small. */
const regular = new RegExp(`^(?:[${upper}]?[${lower}]+(?:[A-Z][${lower}]+)*|[${upper}ß]+)$`);
const punctuation = /^[“‘„«¿¡•]+|[”’“»…™®°ªº]+$/g;
/** Signs that separate the parts of a name, where the next part has a capital. */
const dashes = /[–—](?=\p{Lu})|\u00a0/u;
/** `l’ami`, `D’Angelo`, `Ada’s` */
const apostrophe = new RegExp(`(?<=^[${upper}${lower}]{1,2})[‘’]|[‘’](?=\\p{Lu}|[st]$)`, 'u');
const vowelByVowel = new RegExp(`[${vowel}](?![a-z])[${vowel}]|(?![a-z])[${vowel}][${vowel}]`, 'i');
const consonantAlone = new RegExp(`(?<![${vowel}])[çðñþßšž](?![${vowel}])|œ(?!u)`, 'i');

/**
 * How well a word with letters outside ASCII fits a language of Western Europe: 0 not at all, ½ if a vowel stands beside
 * another vowel, a consonant beside none or œ not before u, 1 well.
 */
export function wordScore(word: string): 0 | 0.5 | 1 {
  const parts = word
    .replaceAll(punctuation, '')
    .split(dashes)
    .flatMap((part) => part.split(apostrophe));
  if (!parts.every((part) => part === '' || regular.test(part))) return 0;
  return parts.some((part) => vowelByVowel.test(part) || consonantAlone.test(part)) ? 0.5 : 1;
}
