/**
 * Reads a file as text in UTF-8, UTF-16, or the encoding of old Windows spreadsheets (Windows-1252). Null if it is not
 * a text.
 * @param isBeginning whether more follows, so that the last character may not be complete
 */
export function decodeText(bytes: Uint8Array, isBeginning = false): string | null {
  const text = textOf(bytes, { stream: isBeginning });
  return text.includes('\0') ? null : text;
}

function textOf(bytes: Uint8Array, options: { stream: boolean }): string {
  const [first, second] = bytes;
  // Without a byte order mark, UTF-16 is detected by the zero byte of the first character.
  if ((first === 0xff && second === 0xfe) || (first && second === 0))
    return new TextDecoder('utf-16le').decode(bytes, options);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second))
    return new TextDecoder('utf-16be').decode(bytes, options);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, options);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes, options);
  }
}
