/** Whether a text includes what was typed, in any case. */
export function includes(text: string, typed: string): boolean {
  return text.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}
