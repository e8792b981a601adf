/** Whose tokens are verified. */
export interface TokenOptions {
  /** The id of the site, as in `gatehouse.site.get()`. */
  siteId: string;
  /** The URL of the site for visitors, such as `https://academy.example.com`. Tokens for another host are rejected. */
  origin: string;
  /** Where the public keys are, if not at `/_gatehouse/jwks.json` of `origin`. */
  keysUrl?: string | undefined;
}
