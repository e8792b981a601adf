/** The version of this client, as in package.json. */
export const version = '0.1.0';
