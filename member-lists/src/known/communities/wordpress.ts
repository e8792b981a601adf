import type { KnownExport } from '../known-export.ts';

/**
 * The plugins "Export Users to CSV" and "Import and export users and customers", and `wp user list --format=csv`. A row
 * is an account. The columns after the first ones depend on the plugins of the site; `wp_` is the prefix of its tables.
 */
export const wordpress: KnownExport = {
  title: 'WordPress',
  signatures: [['user_login', 'user_email', 'user_registered']],
  columns: {
    email: ['user_email'],
    displayName: ['display_name'],
    firstName: ['first_name'],
    lastName: ['last_name'],
    registeredAt: ['user_registered'],
  },
  groupHeadings: ['roles', 'role', '*_capabilities'],
  groupSeparator: ',',
  clockTimeZone: 'UTC',
};
