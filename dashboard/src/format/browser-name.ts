import { browserNames } from '@gatehouse/contract/browser-names';

/** The browser and the operating system in a `User-Agent`, such as "Firefox · Windows"; empty if neither is known. */
export function browserName(userAgent: string | null): string {
  const { browser, system } = browserNames(userAgent);
  return [browser, system].filter(Boolean).join(' · ');
}
