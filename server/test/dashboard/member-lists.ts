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

/**
 * The list of a rowing club, from a spreadsheet program in German. Its words, dates and marks are those of people, and a
 * few rows have mistakes.
 */
export function clubList(rows = 181): Buffer {
  const departments = ['Rudern', 'Rudern, Jugend', 'Turnen', 'Rudern, Turnen', ''];
  const lines = Array.from({ length: rows }, (_, index) => {
    const number = index + 1;
    const cells = [
      String(1000 + number),
      `Größer-${number}`,
      'Jörg',
      addressInClub(number),
      dayInClub(number),
      number % 4 === 0 ? 'nein' : 'ja',
      number % 26 === 0 ? 'x' : '',
      departments[number % departments.length]!,
    ];
    return cells.join(';');
  });
  const headings = 'Mitgliedsnummer;Name;Vorname;E-Mail;Eintritt;Beitrag bezahlt;Vorstand;Abteilung';
  return Buffer.from(`\ufeff${[headings, ...lines].join('\r\n')}\r\n`);
}

function addressInClub(number: number): string {
  if (number === 20) return '';
  if (number === 40) return 'joerg.40@example.org, gisela.40@example.org';
  if (number === 60) return 'joerg.60(at)example.org';
  return number === 80 ? 'Jörg <joerg.80@example.org>' : `joerg.${number}@example.org`;
}

function dayInClub(number: number): string {
  if (number === 100) return '#NV';
  if (number === 120) return '01.01.2199';
  return `${String(1 + (number % 28)).padStart(2, '0')}.${String(1 + (number % 12)).padStart(2, '0')}.2010`;
}

/** A list whose dates can be read in two orders, whose states have words of their own, and that has a column of fees. */
export const listWithQuestions = Buffer.from(
  [
    'E-Mail,Name,Joined,Status,Dues',
    'alan@example.org,Alan,03/04/2020,normal,paid',
    'grace@example.org,Grace,05/06/2020,on hold,no',
    'katherine@example.org,Katherine,07/08/2020,normal,waived',
    'rosa@example.org,Rosa,09/10/2020,gone,no',
    '',
  ].join('\n'),
);

/** Drops a file on the page. */
export async function drop(page: Page, buffer: Buffer, name = 'members.csv'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}
