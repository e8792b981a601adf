import type { KnownExport } from '../known-export.ts';

/** Directory, "Download users". A row is an account. */
export const googleWorkspace: KnownExport = {
  title: 'Google Workspace',
  signatures: [['First Name', 'Last Name', 'Email Address', 'Org Unit Path', 'Status', 'Last Sign In']],
  columns: {
    email: ['Email Address'],
    firstName: ['First Name'],
    lastName: ['Last Name'],
    status: ['Status'],
  },
  groupHeadings: ['Department', 'Org Unit Path'],
  groupSeparator: '',
  noGroupWords: ['/'],
  statusWords: { active: 'active', suspended: 'blocked', archived: 'leftOut' },
};
