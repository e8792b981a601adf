import type { Role } from '../../session/dashboard-api.ts';

/** The roles, from the most permissions to the fewest. */
export const roles: readonly Role[] = ['owner', 'admin', 'support', 'viewer'];
