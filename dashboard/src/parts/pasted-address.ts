import type { ClipboardEvent } from 'react';

/** For a field that takes a part of an address: what is done when a whole one is pasted, as browsers copy it. */
export function onPasteOfAddress(take: (address: URL) => void): (event: ClipboardEvent) => void {
  return (event) => {
    const address = toAddress(event.clipboardData.getData('text'));
    if (!address) return;
    event.preventDefault();
    take(address);
  };
}

/** The address that a text is; null for any other text. */
export function toAddress(text: string): URL | null {
  return /^\s*https?:\/\//i.test(text) ? URL.parse(text) : null;
}

/** The path of an address as people write it. */
export function plainPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
