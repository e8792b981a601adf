const namedOctet = /---([0-9a-f]{2})---/gi;

/**
 * A name, and the one that WordPress reads in it: `---c3------a9---` is how it writes the bytes of `é` while it changes
 * the other signs of a name, and it also reads what a visitor has written so.
 */
export function withNamedOctets(name: string): readonly string[] {
  if (!name.includes('---')) return [name];
  try {
    const read = decodeURIComponent(encodeURIComponent(name).replace(namedOctet, '%$1'));
    return read === name ? [name] : [name, read];
  } catch {
    // No name that WordPress stores.
    return [name];
  }
}
