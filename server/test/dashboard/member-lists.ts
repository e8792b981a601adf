import type { Page } from 'playwright-core';

/** Email addresses as they are copied from several sources. */
export const messyList = `Ada Lovelace <ada@example.com>; ADA@example.com, "Hopper, Grace" <grace@example.com>
call Alan (alan@example.com). not@.address
katherine@example.com\tmargaret@example.com
rosa(at)example.com`;

/**
 * A file in the format of an old spreadsheet program on Windows. One row has an existing member, two rows are
 * duplicates, five have no valid email address, and one has a name that is too long.
 */
export function manyMembers(count: number): Buffer {
  const lines = Array.from({ length: count }, (_, index) => {
    const name = `Jörg;Größer ${index}`;
    if (index === 1) return `=rower 1;${name};`;
    if (index > 1 && index < 6) return `rower ${index};${name};`;
    if (index === 6) return `Ada@Example.com;${name};ja`;
    if (index === 7 || index === 8) return `ROWER-0@example.com;${name};`;
    if (index === 9) return `rower-9@example.com;${'x'.repeat(201)};;`;
    return `rower-${index}@example.com;${name};${index % 10 === 0 ? 'ja' : 'nein'}`;
  });
  return Buffer.from(`${['E-Mail;Vorname;Nachname;Bezahlt', ...lines].join('\r\n')}\r\n`, 'latin1');
}

/** Drops a file on the page. */
export async function drop(page: Page, buffer: Buffer, name = 'members.csv'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}
