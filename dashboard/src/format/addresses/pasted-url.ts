import type { ClipboardEvent } from 'react';

/** A paste handler for fields that expect a part of a URL: called with the URL when a whole one is pasted. */
export function onPasteUrl(onUrl: (address: URL) => void): (event: ClipboardEvent) => void {
  return (event) => {
    const address = toUrl(event.clipboardData.getData('text'));
    if (!address) return;
    event.preventDefault();
    onUrl(address);
  };
}

/** The URL in a text; null for any other text. */
export function toUrl(text: string): URL | null {
  return /^\s*https?:\/\//i.test(text) ? URL.parse(text) : null;
}

/** The path of a URL in readable form. */
export function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
