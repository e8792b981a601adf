import type { KnownExport } from '../known-export.ts';

/**
 * "Export", "Google CSV", with the headings of before and after 2024. A row is a contact. A cell can have several
 * addresses: such a row is listed.
 */
export const googleContacts: KnownExport = {
  title: 'Google Contacts',
  signatures: [
    ['First Name', 'Last Name', 'Labels', 'E-mail 1 - Value'],
    ['Given Name', 'Family Name', 'Group Membership', 'E-mail 1 - Value'],
  ],
  columns: {
    email: ['E-mail 1 - Value'],
    displayName: ['Name'],
    firstName: ['First Name', 'Given Name'],
    lastName: ['Last Name', 'Family Name'],
  },
  groupHeadings: ['Labels', 'Group Membership'],
  groupSeparator: ':::',
  noGroupWords: ['* mycontacts', '* my contacts', '* starred', '* friends', '* family', '* coworkers'],
};
