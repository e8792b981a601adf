/** WordPress looks up only so much of a name: its ASCII characters, and three for each byte of the others. */
const maxLookedUp = 200;

/** A name as it is looked up by programs that ignore the end of a long one. */
export function cutName(name: string): string {
  // No character takes more than nine for each unit of its text.
  if (name.length * 9 <= maxLookedUp) return name;
  let length = 0;
  let end = 0;
  for (const character of name) {
    length += character <= '\x7f' ? 1 : 3 * Buffer.byteLength(character);
    if (length > maxLookedUp) return name.slice(0, end);
    end += character.length;
  }
  return name;
}
