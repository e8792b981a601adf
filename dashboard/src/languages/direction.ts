/** The text direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr';
}
