// Generated from the contract by `npm run api`. Do not edit.

/** The version of this client, which is that of the service. */
export const version = '0.1.0';
