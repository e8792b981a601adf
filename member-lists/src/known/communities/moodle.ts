import type { KnownExport } from '../known-export.ts';

/**
 * Bulk user actions, "Download". A row is an account. The list of the participants of a course has only names and
 * addresses, in the language of the page, so it is read like any other list.
 */
export const moodle: KnownExport = {
  title: 'Moodle',
  signatures: [['username', 'email', 'firstname', 'lastname', 'idnumber', 'institution', 'department']],
  columns: { email: ['email'], firstName: ['firstname'], lastName: ['lastname'] },
  groupHeadings: ['institution', 'department'],
  groupSeparator: '',
};
