/** A text from elsewhere without characters that control a terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
}
