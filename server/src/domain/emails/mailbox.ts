/** How a provider interprets the part of an address before the `@`, apart from `+tag`, which most providers support. */
interface Provider {
  /** Domains of the same mailbox; they are all counted as the first one. */
  readonly domains: readonly string[];
  /** Characters that the provider ignores. */
  readonly ignores?: RegExp;
  /** The character that begins a tag. */
  readonly tag?: string;
}

const providers: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignores: /\./g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignores: /[._-]/g },
  // Yahoo names have no hyphens: a hyphen separates the base name from the keyword of a disposable address.
  { domains: ['yahoo.com'], tag: '-' },
  { domains: ['ymail.com'], tag: '-' },
  { domains: ['rocketmail.com'], tag: '-' },
  { domains: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.com.tr'] },
];

const providerOf = new Map(
  providers.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)),
);

const yahooOfACountry = /^yahoo\.(?:co\.|com\.)?[a-z]{2}$/;

/** Fastmail's own domains, where `anything@name.fastmail.com` is `name@fastmail.com`. Each is a separate mailbox. */
const subdomainAddressing =
  /^([^.]+)\.(fastmail\.(?:com|fm|net|org|us|co\.uk|de|es|jp)|messagingengine\.com|pobox\.com|sent\.com|mailbolt\.com|eml\.cc|123mail\.org)$/;

/**
 * One name for all addresses of the same mailbox, as far as the rules of its provider are known. Use it only to count
 * emails, never to identify a person or to send to. Takes a normalized address; applying it twice changes nothing.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const domain = email.slice(at + 1);
  const subdomain = subdomainAddressing.exec(domain);
  if (subdomain) return `${subdomain[1]}@${subdomain[2]}`;
  const provider = providerOf.get(domain);
  const tag = provider?.tag ?? (yahooOfACountry.test(domain) ? '-' : undefined);
  const untagged = withoutTag(withoutTag(local, '+'), tag);
  const name = provider?.ignores ? untagged.replace(provider.ignores, '') || untagged : untagged;
  return `${name}@${provider?.domains[0] ?? domain}`;
}

/** An address that consists only of a tag keeps it. */
function withoutTag(local: string, tag: string | undefined): string {
  const at = tag === undefined ? -1 : local.indexOf(tag);
  return at < 1 ? local : local.slice(0, at);
}
