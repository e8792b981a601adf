import type { KnownExport } from '../known-export.ts';

/** Contacts of Outlook for Windows in English and German, of Outlook on the web, and those that Google writes for Outlook. A row is a contact. */
export const outlook: KnownExport = {
  title: 'Outlook',
  signatures: [
    ['First Name', 'Last Name', 'E-mail Address', 'E-mail Type', 'E-mail Display Name'],
    ['First Name', 'Last Name', 'E-mail Address', 'Internet Free Busy'],
    ['First Name', 'Last Name', 'E-mail Address', 'Given Yomi', 'Surname Yomi'],
    ['Vorname', 'Nachname', 'E-Mail-Adresse', 'E-Mail-Typ', 'E-Mail: Angezeigter Name'],
  ],
  columns: {
    email: ['E-mail Address', 'E-Mail-Adresse'],
    firstName: ['First Name', 'Vorname'],
    lastName: ['Last Name', 'Nachname'],
  },
  groupHeadings: ['Categories', 'Kategorien'],
  groupSeparator: ';',
  noGroupWords: ['mycontacts', 'starred'],
};
