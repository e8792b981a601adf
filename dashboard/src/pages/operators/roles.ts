import type { Role } from '../../session/dashboard-api.ts';

/** From the one that may do everything to the one that only looks. */
export const roles: readonly Role[] = ['owner', 'admin', 'support', 'viewer'];
