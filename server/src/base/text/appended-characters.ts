/**
 * One thing that people and email programs append to an address that they copy or recognize in a text: punctuation, a
 * closing bracket or quote, a blank, an invisible character, or one of these in HTML or encoded twice. None of them can
 * be the end of a token, of an email address or of a page.
 */
const appended =
  /(?:&(?:amp|apos|gt|lt|nbsp|quot|#3[49]|#62);|%(?:20|22|27|29|2c|2e|3b|3e|5d|7d)|[\s\p{Cf}\p{Pe}\p{Pf}\p{Pi}\p{Po}<>|`~=])$/iu;
const maxLength = '&quot;'.length;

/** A text without the characters that were appended to it. */
export function withoutAppended(text: string): string {
  let end = text.length;
  for (;;) {
    const [last] = appended.exec(text.slice(Math.max(end - maxLength, 0), end)) ?? [];
    if (last === undefined) return text.slice(0, end);
    end -= last.length;
  }
}
